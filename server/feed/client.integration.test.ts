import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { readHighSchools } from './service-records'
import { createUpstreamClient, type UpstreamClientOptions } from './client'
import { type UpstreamRequest, createHttpTransport, createInProcessTransport } from '@/server/base/transport'
import { answerWith, faultyServices } from './testing/faulty-service'
import { freeBudget } from './testing/budget-doubles'

const NOW = 1_800_000_000_000
const BODY = '{"askedQuestions":[{"id":"å"}]}'

const start = faultyServices()

function clientOf(baseUrl: string, options: Partial<UpstreamClientOptions> = {}) {
  const budget = freeBudget()
  const transport = createHttpTransport()
  const parts = { baseUrl, token: 'secret', transport, budget, clock: { now: () => NOW } }
  return { client: createUpstreamClient({ ...parts, ...options }), budget }
}

function recorder(answer: () => Response) {
  const requests: UpstreamRequest[] = []
  const transport = async (request: UpstreamRequest) => {
    requests.push(request)
    return answer()
  }
  return { requests, transport }
}

describe('the address', () => {
  test.each(['https://leads.test/v1', 'https://leads.test/v1/', 'https://leads.test/v1//'])(
    'keeps the prefix of %s',
    async (url) => {
      const { requests, transport } = recorder(() => Response.json({}))
      const { client } = clientOf(url, { transport })
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
    },
  )
})

describe('a list', () => {
  test('comes whole, unpacked, with its validators', async () => {
    const moments = { date: 'Fri, 15 Jan 2027 08:01:00 GMT', 'last-modified': 'Fri, 15 Jan 2027 08:00:00 GMT' }
    const headers = { 'content-encoding': 'gzip', etag: '"7"', ...moments }
    const service = await start(answerWith({ headers, body: gzipSync(BODY) }))
    expect(await clientOf(service.url).client.fetchList('asked-questions')).toEqual({
      ok: true,
      body: Buffer.from(BODY),
      validators: { etag: '"7"', lastModified: 'Fri, 15 Jan 2027 08:00:00 GMT' },
      startedAt: NOW,
    })
    expect(service.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer secret',
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'user-agent': expect.stringMatching(/^Intag\/\d+\.\d+\.\d+/),
    })
    expect(service.requests[0]?.headers).not.toHaveProperty('if-none-match')
  })

  test('that has not changed comes without its body', async () => {
    const service = await start(answerWith({ status: 304, headers: { etag: '"7"' } }))
    const validators = { etag: '"7"', lastModified: 'Fri, 15 Jan 2027 08:00:00 GMT' }
    const outcome = await clientOf(service.url).client.fetchList('asked-questions', validators)
    expect(outcome).toMatchObject({ ok: true, body: null, validators: { etag: '"7"' } })
    expect(service.requests[0]?.headers).toMatchObject({
      'if-none-match': '"7"',
      'if-modified-since': 'Fri, 15 Jan 2027 08:00:00 GMT',
    })
  })

  const JSON_TYPES = 'application/json|application/json; charset=utf-8|application/hal+json|text/json|text/plain|'
  const OTHERS = 'text/html|application/xml|image/png|application/jsonp'
  test.each([
    ...JSON_TYPES.split('|').map((type) => ['is read', type, true] as const),
    ...OTHERS.split('|').map((type) => ['is not read', type, false] as const),
  ])('%s when its type is "%s"', async (_, type, ok) => {
    const { transport } = recorder(
      () => new Response(Buffer.from(BODY), { headers: type ? { 'content-type': type } : {} }),
    )
    const outcome = await clientOf('http://leads.test', { transport }).client.fetchList('asked-questions')
    expect(outcome).toMatchObject(ok ? { ok } : { ok, kind: 'unreadable' })
  })

  test('validators that could not be sent back are forgotten', async () => {
    const headers = { 'content-type': 'application/json', etag: 'x'.repeat(2_000), 'last-modified': 'å' }
    const { transport } = recorder(() => new Response(BODY, { headers }))
    expect(await clientOf('http://leads.test', { transport }).client.fetchList('high-schools')).toHaveProperty(
      'validators',
      {},
    )
  })

  test.each([
    ['in the same second', '08:00:00'],
    ['within a minute, by what may be two clocks', '08:00:59'],
    ['by a clock that is behind', '07:59:00'],
    ['without a date', undefined],
  ])('that was changed %s is not asked for by its date: another change might have the same', async (_, time) => {
    const date = time === undefined ? {} : { date: `Fri, 15 Jan 2027 ${time} GMT` }
    const { transport } = recorder(() =>
      Response.json({}, { headers: { 'last-modified': 'Fri, 15 Jan 2027 08:00:00 GMT', ...date } }),
    )
    expect(await clientOf('http://leads.test', { transport }).client.fetchList('asked-questions')).toHaveProperty(
      'validators',
      {},
    )
  })

  test('of 20 MB comes whole over one connection after another', async () => {
    const body = Buffer.alloc(20_000_000, '{"a":"0123456789"}')
    const service = await start((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(body)
    })
    const { client } = clientOf(service.url)
    for (let i = 0; i < 3; i++) {
      const outcome = await client.fetchList('asked-questions')
      expect(outcome.ok && outcome.body !== null && body.equals(outcome.body)).toBe(true)
    }
    expect(new Set(service.requests.map(({ socket }) => socket.remotePort)).size).toBe(1)
  })
})

describe('one high school', () => {
  const ask = (answer: () => Response) =>
    clientOf('http://leads.test', { transport: recorder(answer).transport }).client.fetchHighSchool('norra')

  test.each(['{"id":"norra"}', '{"id":"norra","name":null,"towns":[]}', '\ufeff{"id":"norra","name":"norra"}'])(
    'is read as in the list, also as %s',
    async (body) => {
      const outcome = await ask(() => new Response(body, { headers: { 'content-type': 'application/json' } }))
      const listed = readHighSchools({ highSchools: [JSON.parse(body.replace('\ufeff', ''))] })
      expect(listed).toMatchObject({ ok: true, highSchools: [{ id: 'norra', name: 'norra' }] })
      expect(outcome).toMatchObject({ ok: true, highSchool: { id: 'norra', name: 'norra' } })
    },
  )

  const NONE = ['{"id":"norra","name":7}', '[]', '{"id":', '', '{"id":"södra","name":"Södra"}']
  test.each(NONE)('is unreadable as %s', async (body) => {
    const outcome = await ask(() => new Response(body, { headers: { 'content-type': 'application/json' } }))
    expect(outcome).toMatchObject({ ok: false, kind: 'unreadable' })
  })
})

describe('an answer of 429 or 503', () => {
  const date = (ms: number) => new Date(ms).toUTCString()
  test.each([
    ['7', undefined, 7_000],
    ['0', undefined, 0],
    ['999999', undefined, 3_600_000],
    [date(NOW + 30_000), undefined, 30_000],
    [date(NOW - 30_000), undefined, 0],
    [date(NOW + 9e9), undefined, 3_600_000],
    [date(NOW + 3_630_000), date(NOW + 3_600_000), 30_000],
    ['soon', undefined, undefined],
    ['-5', undefined, undefined],
  ])('with Retry-After "%s" at %s asks to wait %s ms', async (value, now, retryAfterMs) => {
    const headers = { 'retry-after': value, ...(now && { date: now }) }
    for (const [status, kind] of Object.entries({ 429: 'rate-limited', 503: 'unavailable' })) {
      const { transport } = recorder(() => Response.json({}, { status: Number(status), headers }))
      const outcome = await clientOf('http://leads.test', { transport }).client.fetchList('high-schools')
      const wait = retryAfterMs === undefined ? {} : { retryAfterMs }
      expect(outcome).toEqual({ ok: false, kind, detail: `status ${status}`, ...wait })
    }
  })

  test('silences the budget after 429 for as long as asked, or for a minute', async () => {
    const logs: string[][] = []
    for (const headers of [{ 'retry-after': '7' }, undefined]) {
      const { transport } = recorder(() => Response.json({}, { status: 429, ...(headers && { headers }) }))
      const { client, budget } = clientOf('http://leads.test', { transport })
      await client.fetchList('high-schools')
      logs.push(budget.log)
    }
    expect(logs).toEqual([
      ['list', `back off until ${NOW + 7_000}`, 'whole'],
      ['list', `back off until ${NOW + 60_000}`, 'whole'],
    ])
  })
})

test('without a place in the budget nothing is sent', async () => {
  const { requests, transport } = recorder(() => Response.json({}))
  const budget = { reserve: async () => ({ ok: false, retryAtMs: NOW + 5 }) as const, backOff: async () => {} }
  const { client } = clientOf('http://leads.test', { transport, budget })
  expect(await client.fetchList('asked-questions')).toEqual({ ok: false, kind: 'no-budget', retryAtMs: NOW + 5 })
  expect(await client.fetchHighSchool('a')).toEqual({ ok: false, kind: 'no-budget', retryAtMs: NOW + 5 })
  expect(requests).toEqual([])
})

test('a service in this process is asked like any other, without packing', async () => {
  const seen: Request[] = []
  const transport = createInProcessTransport(async (request) => {
    seen.push(request)
    return Response.json({ highSchools: [] })
  })
  const outcome = await clientOf('http://demo.invalid/v1', { transport }).client.fetchList('high-schools')
  expect(outcome).toMatchObject({ ok: true })
  expect(seen[0]?.url).toBe('http://demo.invalid/v1/external/highSchools')
  expect(seen[0]?.headers.get('authorization')).toBe('Bearer secret')
  expect(seen[0]?.headers.get('accept-encoding')).toBeNull()
})
