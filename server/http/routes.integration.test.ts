import { DrizzleQueryError } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { POST as postAuth } from '@/app/api/auth/[...nextauth]/route'
import type { Endpoint } from '@/lib/contract/endpoint'
import { MINUTE_MS } from '@/lib/time/durations'
import { toSessionCookieName } from '@/server/access/cookies'
import { serializeSessionCookie, type Session } from '@/server/access/session-cookie'
import { makeViewer, type Viewer } from '@/server/access/viewer'
import { createOutageMonitor } from '@/server/base/database-outage'
import { ConflictError, InvalidInputError, NotReadyError } from '@/server/base/errors'
import { createLogger } from '@/server/base/logger'
import { enterRequest, findCallerAddress } from '@/server/base/request-context'
import { createLifecycle } from './lifecycle'
import { createJsonResponse } from './responses'
import { createEndpointHandler, serve } from './routes'

const NO_STORE = 'private, no-store, no-transform'
const SARA = { id: 'u1', name: 'Sara', email: 's@x.test', role: 'staff', schools: ['norra'] } as const
const sara = makeViewer({ ...SARA, schools: ['norra'] })
const auth = { url: 'https://intag.test', secret: 's'.repeat(32) }
const KEY = Symbol.for('intag.services')

const find = vi.fn<(session: Session) => Promise<Viewer | null>>()
const recordUse = vi.fn<(id: string) => void>()
const refused: string[][] = []
let [log, cookie, now] = ['', '', 0]
let lifecycle = createLifecycle()
beforeAll(async () => {
  const [pair = ''] = (await serializeSessionCookie({ userId: 'u1', id: 's1' }, { auth })).split(';')
  cookie = `theme=dark; ${pair}`
})
beforeEach(() => {
  log = ''
  now = Date.now()
  refused.length = 0
  recordUse.mockReset()
  find.mockReset().mockResolvedValue(sara)
  lifecycle = createLifecycle()
  const nothingYet = () => ({ content: null, problem: null })
  Reflect.set(globalThis, KEY, {
    env: { mode: 'connected', auth },
    feed: { askedQuestions: nothingYet, declarations: nothingYet },
    lifecycle,
    logger: createLogger({ logLevel: 'info' }, { write: (line) => void (log += line) }, createOutageMonitor()),
    viewers: { find, requireStoredSession: async () => ({ method: 'password', provedAt: new Date(0) }) },
    sessions: { recordUse },
    now: () => now,
    logRefusal: (...refusal: string[]) => void refused.push([...refusal, findCallerAddress() ?? '']),
  })
  lifecycle.markUp()
})
afterAll(() => void Reflect.deleteProperty(globalThis, KEY))

const withId = { params: z.object({ id: z.string() }) }
const query = z.strictObject({ q: z.string().optional() })
const body = z.strictObject({ name: z.string().max(9) })
type Run = (services: unknown, viewer: Viewer, input: Record<string, string>) => unknown
const routeOf = (declared: Partial<Endpoint>, verb: Run = () => ({}), method: 'GET' | 'POST' = 'GET') =>
  createEndpointHandler(
    { summary: 'a test', who: 'signed-in', ...declared },
    { pattern: '/api/things/:id', method },
    verb,
  )
const context = (id = '7') => ({ params: Promise.resolve({ id }) })
const get = (search = '', headers: Record<string, string> = {}) =>
  new Request(`http://intag.test/api/things${search}`, { headers: { cookie, ...headers } })
const post = (text: BodyInit, type = 'application/json') => {
  const headers = { 'content-type': type, origin: auth.url, cookie }
  return new Request('http://intag.test/api/things', { method: 'POST', body: text, headers })
}
const failWith = (reason: unknown, method: 'GET' | 'POST' = 'GET') => {
  const fail = () => {
    throw reason
  }
  return routeOf({}, fail, method)(method === 'GET' ? get() : post(''), context())
}
const answerOf = async (response: Response) => ({ status: response.status, body: await response.json() })

describe('an answer', () => {
  test('is the verb’s for this viewer and input, as JSON that must not be stored', async () => {
    const declared = { who: 'leads:read', query, ...withId } as const
    const GET = routeOf(declared, (_, { id: who }, { q, id }) => ({ who, q, id }))
    const response = await GET(get('?q=x'), context())
    expect(response.headers.get('cache-control')).toBe(NO_STORE)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await answerOf(response)).toEqual({ status: 200, body: { who: 'u1', q: 'x', id: '7' } })
    expect((await GET(get(), context('a\0b'))).status, 'an id that cannot be stored').toBe(404)
  })

  test('that is a response stays one, and must not be stored either', async () => {
    const GET = routeOf({}, () => new Response('a;b', { headers: { 'content-type': 'text/csv' } }))
    const { headers } = await GET(get(), context())
    expect([headers.get('content-type'), headers.get('cache-control')]).toEqual(['text/csv', 'private, no-store'])
  })

  test('to a method that is not declared is an error that must not be stored', async () => {
    const { GET: declared, ...others } = serve('/api/status', { GET: () => createJsonResponse({}) })
    expect((await declared(get(), context())).status).toBe(200)
    for (const notAllowed of Object.values(others)) {
      const answer = await notAllowed(get('?x=1'), context())
      expect(answer.headers.get('cache-control')).toBe(NO_STORE)
      expect(await answerOf(answer)).toEqual({ status: 405, body: { error: 'Method Not Allowed' } })
    }
  })

  test.each([
    [new InvalidInputError('leads.0.id'), 400, 'Bad parameter: leads.0.id'],
    [new ConflictError('The last one'), 409, 'The last one'],
    [new NotReadyError(), 503, 'Not ready yet'],
    [new Error('SELECT secret FROM users'), 500, 'Internal Server Error'],
  ])('to %s has the one shape of errors', async (error, status, message) => {
    const response = await failWith(error)
    expect(response.headers.get('retry-after')).toBe(status === 503 ? '5' : null)
    expect(await answerOf(response)).toEqual({ status, body: { error: message } })
  })

  test.each([
    ['{', 400, { error: 'The body is not JSON' }],
    ['{"name":"a\\u0000b"}', 400, { error: 'Bad parameter: name' }],
    ['{"name":"\\ud800"}', 400, { error: 'Bad parameter: name' }],
    // A signed-in user may send more than 20 kB.
    [`{"name":"${'x'.repeat(20_000)}"}`, 400, { error: 'Bad parameter: name' }],
    ['{"name":"x"}', 200, { name: 'x' }],
  ])('to the body %.20s is %d', async (text, status, answer) => {
    const POST = routeOf({ body, requestTypes: ['text/plain'] }, (_, _viewer, input) => input, 'POST')
    expect(await answerOf(await POST(post(text, 'text/plain'), context()))).toEqual({ status, body: answer })
  })
})

describe('the log', () => {
  test('has a refusal by the pattern of its path and its address, and none without a user', async () => {
    const closed = routeOf({ who: 'admin', proof: true, ...withId })
    await Promise.resolve()
    enterRequest({ id: 'r', address: '192.0.2.9', isOver: false })
    const headers = { 'x-forwarded-for': '198.51.100.7' }
    const unauthorized = { status: 403, body: { error: 'Unauthorized' } }
    const answer = await closed(get('', headers), context('Karin'))
    expect(await answerOf(answer), 'before a proof is asked for').toEqual(unauthorized)
    await closed(get('', { ...headers, cookie: '' }), context('Karin'))
    expect(refused).toEqual([['u1', 'GET', '/api/things/:id', '192.0.2.9']])
  })

  test('has nothing that was searched for, and nothing that a database error quotes', async () => {
    await routeOf({ query, ...withId })(get('?q=%C3%85sa'), context('karin'))
    const cause = Object.assign(new Error('duplicate key (asa@x.test)'), { code: '23505', detail: 'asa@x.test' })
    await failWith(new Error('Failed query: … params: asa@x.test', { cause }))
    expect(log).toMatch(/"path":"\/api\/things\/:id","status":200[^]*23505/)
    expect(log).not.toMatch(/sa@x|%C3%85sa|Åsa|karin/)
  })
})

describe('a session', () => {
  const cookieFor = async (headers: Record<string, string> = {}) =>
    (await routeOf({})(get('', headers), context())).headers.get('set-cookie')

  test('in use is renewed after a quarter of an hour, and not before', async () => {
    now += 14 * MINUTE_MS
    expect(await cookieFor()).toBeNull()
    now += 2 * MINUTE_MS
    const name = toSessionCookieName({ auth })
    expect(await cookieFor()).toMatch(new RegExp(`^${name}=.*; Max-Age=28800; HttpOnly; SameSite=Lax; Secure$`))
    expect(recordUse).toHaveBeenCalledWith('s1')
  })

  test('is not kept alive by a page that asks by itself', async () => {
    now += 16 * MINUTE_MS
    expect(await cookieFor({ 'intag-automatic': '1' })).toBeNull()
    expect(await cookieFor({ accept: 'text/event-stream' })).toBeNull()
    expect(recordUse).not.toHaveBeenCalled()
  })

  test.each([
    ['has ended', async () => null],
    ['cannot be read', async () => Promise.reject(new Error('nobody can say'))],
  ])('that %s when its answer comes gets no cookie', async (_, findLater) => {
    now += 16 * MINUTE_MS
    const GET = routeOf({}, () => void find.mockImplementation(findLater))
    const answer = await GET(get(), context())
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null])
  })

  test('of a user who must enrol a second factor is refused everywhere but where they enrol', async () => {
    find.mockResolvedValue(makeViewer({ ...SARA, role: 'admin', schools: 'all' }, { mustEnrol: true }))
    const run = vi.fn<() => object>(() => ({}))
    const reason = 'second-factor-missing'
    for (const who of ['signed-in', 'leads:read'] as const) {
      const closed = await routeOf({ who }, run)(get(), context())
      expect(closed.headers.get('intag-reason')).toBe(reason)
      expect(await answerOf(closed)).toEqual({ status: 403, body: { error: 'Second factor missing', reason } })
    }
    expect(run).not.toHaveBeenCalled()
    expect((await routeOf({ enrolling: true }, run)(get(), context())).status).toBe(200)
  })
})

describe('while the database is away', () => {
  test.each([
    ['ECONNREFUSED', 'POST', 'Not saved: the database cannot be reached'],
    // What a server whose disk is full answers to each client.
    ['XX000', 'POST', 'Not saved: the database cannot be reached'],
    ['53100', 'POST', 'Not saved: the database cannot be written to'],
    ['ECONNREFUSED', 'GET', 'The database cannot be reached'],
  ] as const)('by %s a %s is answered: %s; the log has the request alone', async (code, method, error) => {
    const away = Object.assign(new Error('connect'), { code })
    const fail = () => failWith(new DrizzleQueryError('update', ['asa@x.test'], away), method)
    // The first failure of an outage is the one that is described.
    await fail()
    log = ''
    const answer = await fail()
    const { headers } = answer
    expect([headers.get('retry-after'), headers.get('intag-reason')]).toEqual(['5', 'database-away'])
    expect(await answerOf(answer)).toEqual({ status: 503, body: { error } })
    expect(log).toMatch(/^[^\n]*"status":503[^\n]*\n$/)
    expect(log).not.toMatch(/asa@x|"at":|request failed/)
  })

  test('a withheld permission is answered as an outage, a missing one as forbidden', async () => {
    find.mockResolvedValue(makeViewer({ ...SARA, schools: ['norra'] }, { readOnly: true }))
    const statuses = []
    for (const who of ['leads:read', 'leads:triage', 'admin'] as const)
      statuses.push((await routeOf({ who })(get(), context())).status)
    expect([statuses, refused.length]).toEqual([[200, 503, 403], 1])
  })
})

describe('during the start', () => {
  const run = vi.fn<() => object>(() => ({ isDone: true }))
  const write = routeOf({ who: 'anyone' }, run, 'POST')
  const nextauth = { params: Promise.resolve({ nextauth: ['callback', 'credentials'] }) }

  test.each([
    ['starting', false, null],
    ['waiting', true, 'database-away'],
  ])(
    'while %s no route does anything, and each answers 503; then what was held is served',
    async (phase, isAway, reason) => {
      lifecycle = createLifecycle()
      Object.assign(Reflect.get(globalThis, KEY), { lifecycle })
      lifecycle.setWaitingForDatabase(isAway)
      for (const answer of [write, postAuth]) {
        const response = await answer(post('') as never, nextauth)
        const { status, headers } = response
        expect([status, headers.get('retry-after'), headers.get('intag-reason')]).toEqual([503, '3', reason])
        expect(await response.json()).toMatchObject({ phase, ready: false, error: expect.stringMatching(/^Intag /) })
      }
      expect(run).not.toHaveBeenCalled()
      lifecycle.markUp()
      expect(await (await write(post(''), nextauth)).json()).toEqual({ isDone: true })
      run.mockClear()
    },
  )
})
