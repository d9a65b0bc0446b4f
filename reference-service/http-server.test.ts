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
  return { service, url: `http://127.0.0.1:${listening.port}/v1/external/highSchools` }
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
