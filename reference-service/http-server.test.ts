import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import type { Fault } from './faults'
import { listen, type Listening } from './http-server'
import { createFixture } from './testing/service-fixture'

let listening: Listening | undefined
afterEach(() => listening?.close())

const headers = { authorization: 'Bearer t-all' }

async function open(...faults: Fault[]) {
  const { service, store } = createFixture({ basePath: '/v1', faults, requestLogSize: 10 })
  listening = await listen(service, { port: 0, host: '127.0.0.1' })
  const base = `http://127.0.0.1:${listening.port}/v1/external`
  return { service, store, base, port: listening.port }
}

it('answers over HTTP', async () => {
  const { base } = await open()
  const answer = await fetch(`${base}/highSchool?id=as`, { headers })
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(await answer.json()).toEqual({ name: 'Åsskolan', id: 'as' })
})

it('answers HEAD with the headers of GET and no body', async () => {
  const { base } = await open()
  const [get, head] = [
    await fetch(`${base}/highSchools`, { headers }),
    await fetch(`${base}/highSchools`, { headers, method: 'HEAD' }),
  ]
  for (const name of ['content-type', 'content-length', 'etag'])
    expect(head.headers.get(name)).toBe(get.headers.get(name))
  expect(await head.text()).toBe('')
})

it('refuses other methods, with a body or without', async () => {
  const { base } = await open()
  for (const init of [{ method: 'DELETE' }, { method: 'POST', body: 'x'.repeat(100_000) }]) {
    const answer = await fetch(`${base}/highSchools`, { headers, ...init })
    expect([answer.status, answer.headers.get('allow'), await answer.json()]).toEqual([
      405,
      'GET, HEAD',
      { error: 'Method Not Allowed' },
    ])
  }
})

it('compresses a long answer and spares the caller one it has', async () => {
  const { base, store } = await open()
  const path = `${base}/conversions/askedQuestions`
  const [question] = store.current().askedQuestions
  if (question) store.addAskedQuestion({ ...question, id: 'q-long', question: 'lång '.repeat(1000) })
  const first = await fetch(path, { headers: { ...headers, 'accept-encoding': 'gzip' } })
  // Fetch has unpacked it already.
  expect(first.headers.get('content-encoding')).toBe('gzip')
  expect((await first.json()).askedQuestions).toHaveLength(5)
  const again = await fetch(path, { headers: { ...headers, 'if-none-match': first.headers.get('etag') ?? '' } })
  expect([again.status, await again.text()]).toEqual([304, ''])
})

it('breaks the connection when a fault wants that', async () => {
  const { base, service } = await open({ name: 'reset' })
  await expect(fetch(`${base}/highSchools`, { headers })).rejects.toThrow('fetch failed')
  service.setFaults([{ name: 'truncated' }])
  const truncated = await fetch(`${base}/highSchools`, { headers })
  expect(truncated.status).toBe(200)
  await expect(truncated.text()).rejects.toThrow('terminated')
  service.setFaults([])
  expect((await fetch(`${base}/highSchools`, { headers })).status).toBe(200)
})

it('closes at once, though a caller hangs', async () => {
  const { base, service } = await open({ name: 'hang' })
  const hanging = fetch(`${base}/highSchools`, { headers })
  const outcome = hanging.then(
    () => 'answered',
    (error: Error) => error.message,
  )
  await expect.poll(() => service.requests.length).toBe(1)
  await listening?.close()
  expect(await outcome).toBe('fetch failed')
  listening = undefined
})

it('rejects when the port is taken', async () => {
  const { port } = await open()
  await expect(listen(createFixture().service, { port, host: '127.0.0.1' })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  })
})

it('answers JSON even to what is no HTTP, or has no host or an odd path', async () => {
  const { port } = await open()
  const raw = (text: string) =>
    new Promise<string>((resolve) => {
      let answer = ''
      const socket = connect(port, '127.0.0.1', () => socket.write(text))
      socket.on('data', (chunk) => (answer += String(chunk))).on('close', () => resolve(answer))
    })
  for (const text of ['GARBAGE\r\n\r\n', 'GET / HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n']) {
    expect(await raw(text)).toMatch(/^HTTP\/1.1 400 [^]*content-type: application\/json[^]*\{"error":"Bad Request"\}$/)
  }
  expect(await raw('GET /v1/external/highSchools HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 401 /)
  const odd = await new Promise<number | undefined>((resolve) => {
    httpRequest({ port, path: '//elsewhere.test/v1/external/highSchools', headers }, ({ statusCode }) =>
      resolve(statusCode),
    ).end()
  })
  expect(odd).toBe(404)
})
