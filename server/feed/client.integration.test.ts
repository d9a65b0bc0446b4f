import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { UpstreamRequest } from '@/server/base/transport'
import type { UpstreamClientOptions } from './client'
import { createAnswer, createServiceStarter, createTestClient, NOW } from './testing/faulty-service'

const CHANGED = 'Fri, 15 Jan 2027 08:00:00 GMT'

const start = createServiceStarter()

/** A client of a service that always gives the same answer, without a network. */
function answered(answer: () => Response, options: Partial<UpstreamClientOptions> = {}) {
  const requests: UpstreamRequest[] = []
  const transport = async (request: UpstreamRequest) => {
    requests.push(request)
    return answer()
  }
  return { requests, ...createTestClient('https://leads.test/v1/', { transport, ...options }) }
}

const json = (text: string) => new Response(Buffer.from(text))

test('the addresses keep the prefix of the given one', async () => {
  const { client, requests } = answered(() => Response.json({}))
  await client.fetchList('asked-questions')
  await client.fetchList('declarations-of-interest')
  await client.fetchList('high-schools')
  await client.fetchHighSchool('a&b=c d+ö/?#\u{d800}')
  expect(requests.map((request) => request.url)).toEqual([
    'https://leads.test/v1/external/conversions/askedQuestions',
    'https://leads.test/v1/external/conversions/declarationsOfInterest',
    'https://leads.test/v1/external/highSchools',
    'https://leads.test/v1/external/highSchool?id=a%26b%3Dc%20d%2B%C3%B6%2F%3F%23%EF%BF%BD',
  ])
})

test('a list comes whole, unpacked, with its validators', async () => {
  const body = Buffer.alloc(2_000_000, '{"a":"0123456789å"}')
  const moments = { date: 'Fri, 15 Jan 2027 08:01:00 GMT', 'last-modified': CHANGED }
  const headers = { 'content-encoding': 'gzip', etag: '"7"', ...moments }
  const service = await start(createAnswer({ headers, body: gzipSync(body) }))
  const answer = await createTestClient(service.url).client.fetchList('asked-questions')
  expect(answer).toMatchObject({ ok: true, validators: { etag: '"7"', lastModified: CHANGED } })
  expect(answer.ok && answer.body !== null && body.equals(answer.body)).toBe(true)
  const sent = service.requests[0]?.headers
  expect(sent).toMatchObject({ authorization: 'Bearer secret', accept: 'application/json', 'accept-encoding': 'gzip' })
  expect(sent?.['user-agent']).toMatch(/^Intag\/\d+\.\d+\.\d+/)
  expect(sent).not.toHaveProperty('if-none-match')
})

test('a list that has not changed comes without its body', async () => {
  const service = await start(createAnswer({ status: 304, headers: { etag: '"7"' } }))
  const known = { etag: '"7"', lastModified: CHANGED }
  const outcome = await createTestClient(service.url).client.fetchList('asked-questions', known)
  expect(outcome).toMatchObject({ ok: true, body: null, validators: { etag: '"7"' } })
  expect(service.requests[0]?.headers).toMatchObject({ 'if-none-match': '"7"', 'if-modified-since': CHANGED })
})

test.each([
  ['cannot be sent back', { etag: 'x'.repeat(2_000), 'last-modified': 'å' }],
  // Another change may have the same date: in the same second, or by another clock, or where there is none.
  ['may be of another change within a minute', { 'last-modified': CHANGED, date: 'Fri, 15 Jan 2027 08:00:59 GMT' }],
  ['are of a clock that is behind', { 'last-modified': CHANGED, date: 'Fri, 15 Jan 2027 07:59:00 GMT' }],
  ['have no moment to compare with', { 'last-modified': CHANGED }],
])('validators that %s are forgotten', async (_, headers) => {
  const { client } = answered(() => Response.json({}, { headers }))
  expect(await client.fetchList('high-schools')).toHaveProperty('validators', {})
})

test.each([
  ['{"id":"norra","name":null,"towns":[]}', { ok: true, highSchool: { id: 'norra', name: 'norra' } }],
  ['\ufeff{"id":"norra","name":"Norra"}', { ok: true, highSchool: { id: 'norra', name: 'Norra' } }],
  ['{"id":', { ok: false, kind: 'unreadable' }],
  ['{"id":"södra","name":"Södra"}', { ok: false, kind: 'unreadable' }],
])('one high school is read as in the list, or unreadable: %s', async (body, outcome) => {
  expect(await answered(() => json(body)).client.fetchHighSchool('norra')).toMatchObject(outcome)
})

const date = (ms: number) => new Date(ms).toUTCString()
test.each([
  ['7', undefined, 7_000],
  ['999999', undefined, 3_600_000],
  [date(NOW + 30_000), undefined, 30_000],
  [date(NOW - 30_000), undefined, undefined],
  [date(NOW + 9e9), undefined, 3_600_000],
  [date(NOW + 3_630_000), date(NOW + 3_600_000), 30_000],
  ['-5', undefined, undefined],
  ['soon', undefined, undefined],
])('Retry-After "%s" at %s asks to wait %s ms, by 429 for every request', async (value, now, retryAfterMs) => {
  const headers = { 'retry-after': value, ...(now && { date: now }) }
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs }
  const down = answered(() => Response.json({}, { status: 503, headers }))
  expect(await down.client.fetchList('high-schools')).toEqual({
    ok: false,
    kind: 'unavailable',
    detail: 'status 503',
    ...wait,
  })
  expect(down.budget.log).toEqual(['list', 'complete'])
  const limited = answered(() => Response.json({}, { status: 429, headers }))
  expect(await limited.client.fetchList('high-schools')).toMatchObject({ ok: false, kind: 'rate-limited', ...wait })
  expect(limited.budget.log).toEqual(['list', `back off for ${retryAfterMs ?? 60_000} ms`, 'complete'])
})

test('without a place in the budget nothing is sent', async () => {
  const budget = { reserve: async () => ({ ok: false, retryAtMs: NOW + 5 }) as const, backOff: async () => {} }
  const { client, requests } = answered(() => Response.json({}), { budget })
  expect(await client.fetchList('asked-questions')).toEqual({ ok: false, kind: 'no-budget', retryAtMs: NOW + 5 })
  expect(await client.fetchHighSchool('a')).toEqual({ ok: false, kind: 'no-budget', retryAtMs: NOW + 5 })
  expect(requests).toEqual([])
})
