import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import type { Fault } from './faults'
import { listen } from './http-server'
import { createFixture } from './testing/service-fixture'

let listening: Awaited<ReturnType<typeof listen>> | undefined
afterEach(() => listening?.close())

const headers = { authorization: 'Bearer t-all' }

async function open(...faults: Fault[]) {
  const { service } = createFixture({ basePath: '/v1', faults })
  listening = await listen(service, 0)
  return { service, url: `http://127.0.0.1:${listening.port}/v1/external/highSchools`, port: listening.port }
}

it('breaks the connection when a fault wants that', async () => {
  const { url, service } = await open({ name: 'truncated' })
  const truncated = await fetch(url, { headers })
  expect(truncated.status).toBe(200)
  await expect(truncated.text()).rejects.toThrow('terminated')
  service.setFaults([])
  expect((await fetch(url, { headers })).status).toBe(200)
})

it('closes at once, though a caller waits', async () => {
  const { url, service } = await open({ name: 'delay', ms: 60_000 })
  const outcome = fetch(url, { headers })
    .then(() => 'answered')
    .catch((error: Error) => error.message)
  await expect.poll(() => service.requests.length).toBe(1)
  await listening?.close()
  expect(await outcome).toBe('fetch failed')
  listening = undefined
})

it('answers also what has no host, two of them or an odd path', async () => {
  const { port } = await open()
  const raw = (text: string) =>
    new Promise<string>((resolve) => {
      let answer = ''
      const socket = connect(port, '127.0.0.1', () => socket.write(text))
      socket.on('data', (chunk) => (answer += String(chunk))).on('close', () => resolve(answer))
    })
  const odd = await raw('GET / HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n')
  expect(odd).toMatch(/^HTTP\/1.1 400 [^]*content-type: application\/json[^]*\{"error":"Bad Request"\}$/)
  expect(await raw('GET /v1/external/highSchools HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 401 /)
  const elsewhere = await new Promise<number | undefined>((resolve) => {
    const path = '//elsewhere.test/v1/external/highSchools'
    httpRequest({ port, path, headers }, ({ statusCode }) => resolve(statusCode)).end()
  })
  expect(elsewhere).toBe(404)
})
