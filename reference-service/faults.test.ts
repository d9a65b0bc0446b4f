import { afterEach, expect, it } from 'vitest'
import type { Fault } from './faults'
import { listen } from './http-server'
import { createFixture } from './testing/service-fixture'

const questions = '/external/conversions/askedQuestions'
const declarations = '/external/conversions/declarationsOfInterest'

it('an answer may come late, and is whole in the end', async () => {
  const pauses: number[] = []
  const late = createFixture({ faults: [{ kind: 'delay', ms: 700 }], sleep: async (ms) => void pauses.push(ms) })
  const whole = await (await createFixture().call(questions)).text()
  expect(await (await late.call(questions)).text()).toBe(whole)
  expect(pauses).toEqual([700])
})

it('an answer may be a page of HTML, for one endpoint and for some requests only', async () => {
  const { call } = createFixture({ faults: [{ kind: 'html', status: 502, endpoint: 'askedQuestions', times: 2 }] })
  const page = await call(questions)
  expect([page.status, page.headers.get('content-type')]).toEqual([502, 'text/html'])
  expect(await page.text()).toContain('<h1>502</h1>')
  const statuses: number[] = []
  for (const path of [declarations, questions, questions]) statuses.push((await call(path)).status)
  expect(statuses).toEqual([200, 502, 200])
})

it('a fault lets nobody past the token or the limits, and what it spoils counts as a call', async () => {
  const { call } = createFixture({ limits: { perSecond: 2, perHour: 9 }, faults: [{ kind: 'html', status: 502 }] })
  expect((await call(questions, null)).status).toBe(401)
  for (const status of [502, 502, 429]) expect((await call(questions)).status).toBe(status)
})

let listening: Awaited<ReturnType<typeof listen>> | undefined
afterEach(() => listening?.close())

const headers = { authorization: 'Bearer t-all' }

async function open(...faults: Fault[]) {
  const { service } = createFixture({ basePath: '/v1', faults })
  listening = await listen(service, 0)
  return { service, url: `http://127.0.0.1:${listening.port}/v1/external/highSchools` }
}

it('an answer may break off with its connection', async () => {
  const { url, service } = await open({ kind: 'truncated' })
  const truncated = await fetch(url, { headers })
  expect(truncated.status).toBe(200)
  await expect(truncated.text()).rejects.toThrow('terminated')
  service.setFaults([])
  expect((await fetch(url, { headers })).status).toBe(200)
})

it('the server closes at once, though a caller waits', async () => {
  const { url, service } = await open({ kind: 'delay', ms: 60_000 })
  const outcome = fetch(url, { headers })
    .then(() => 'answered')
    .catch((error: Error) => error.message)
  await expect.poll(() => service.requests.length).toBe(1)
  await listening?.close()
  expect(await outcome).toBe('fetch failed')
  listening = undefined
})
