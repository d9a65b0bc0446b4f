import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '@/lib/contract/endpoint'
import { findCallerAddress, enterRequest } from '@/server/base/request-context'
import { makeViewer, type Viewer } from '@/server/access/viewer'
import { type Session, sessionCookieName } from '@/server/access/session-cookie'
import { ConflictError, InvalidInputError, NotReadyError } from '@/server/base/errors'
import { createLogger } from '@/server/base/logger'
import { routeWorld, SARA } from '@/server/http/testing/route-world'
import type { Services } from '@/server/base/services'
import { jsonResponse } from './responses'
import { createEndpointHandler, createRoutes } from './routes'

const MINUTE_MS = 60_000
const NO_STORE = 'private, no-store, no-transform'
const find = vi.fn<(session: Session) => Promise<Viewer | null>>()
const recordUse = vi.fn<(id: string) => void>()
const time = { ms: 0 }
let [log, cookie] = ['', '']
const refused: string[][] = []
const world = routeWorld({
  logger: createLogger({ logLevel: 'info' }, { write: (line) => void (log += line) }),
  viewers: { find, requireStoredSession: async () => ({ method: 'password', provedAt: new Date(0) }) },
  sessions: { recordUse },
  now: () => time.ms,
  logRefusal: (...refusal: string[]) => void refused.push([...refusal, findCallerAddress() ?? '']),
})
beforeAll(async () => void (cookie = `theme=dark; ${await world.cookie()}`))
beforeEach(() => {
  log = ''
  time.ms = Date.now()
  refused.length = 0
  recordUse.mockReset()
  find.mockReset().mockResolvedValue(makeViewer(SARA))
})

const withId = { params: z.object({ id: z.string() }) }
const query = z.strictObject({ q: z.string().optional() })
type Input = Record<string, string>
const routeOf = (declared: Partial<Endpoint>, verb: (services: Services, viewer: Viewer, input: Input) => unknown) =>
  createEndpointHandler(
    { summary: 'a test', who: 'signed-in', ...declared },
    { pattern: '/api/things/:id', method: declared.body ? 'POST' : 'GET' },
    verb,
  )
const context = (id = '7') => ({ params: Promise.resolve({ id }) })
const get = (search = '', headers: Record<string, string> = {}) =>
  new Request(`http://intag.test/api/things${search}`, { headers: { cookie, ...headers } })
const send = (body: BodyInit, type = 'application/json') =>
  new Request('http://intag.test/api/things', {
    method: 'POST',
    body,
    headers: { 'content-type': type, origin: 'https://intag.test', cookie },
  })
const failWith = (error: unknown) =>
  routeOf({}, () => {
    throw error
  })(get(), context())
const answerOf = async (response: Response) => ({ status: response.status, body: await response.json() })

test('a route gives the verb the viewer and the input, and its answer as JSON that must not be stored', async () => {
  const declared = { who: 'leads:read', query, ...withId } as const
  const GET = routeOf(declared, (_, { id: who }, { q, id }) => ({ who, q, id }))
  const response = await GET(get('?q=x'), context())
  expect(response.headers.get('cache-control')).toBe(NO_STORE)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await answerOf(response)).toEqual({ status: 200, body: { who: 'u1', q: 'x', id: '7' } })
  expect((await GET(get(), context('a\0b'))).status, 'an id that cannot be stored').toBe(404)
})

test('a route keeps a response of the verb, and forbids to store it', async () => {
  const GET = routeOf({}, () => new Response('a;b', { headers: { 'content-type': 'text/csv' } }))
  const { headers } = await GET(get(), context())
  expect([headers.get('content-type'), headers.get('cache-control')]).toEqual(['text/csv', 'private, no-store'])
})

test('a method that is not declared is answered as an error that must not be stored', async () => {
  const { GET: declared, ...others } = createRoutes('/api/status', { GET: () => jsonResponse({}) })
  expect((await declared(get(), context())).status).toBe(200)
  for (const notAllowed of Object.values(others)) {
    const answer = await notAllowed(get('?x=1'), context())
    expect(answer.headers.get('cache-control')).toBe(NO_STORE)
    expect(await answerOf(answer)).toEqual({ status: 405, body: { error: 'Method Not Allowed' } })
  }
})

test('a refusal is logged by the pattern of its path and its address, and none without a user', async () => {
  const closed = routeOf({ who: 'admin', proof: true, ...withId }, () => ({}))
  await Promise.resolve()
  enterRequest({ id: 'r', address: '192.0.2.9', isOver: false })
  const headers = { 'x-forwarded-for': '198.51.100.7' }
  const answer = await closed(get('', headers), context('Karin'))
  expect(await answerOf(answer), 'before a proof is asked for').toEqual({
    status: 403,
    body: { error: 'Unauthorized' },
  })
  await closed(get('', { ...headers, cookie: '' }), context('Karin'))
  expect(refused).toEqual([['u1', 'GET', '/api/things/:id', '192.0.2.9']])
})

test.each([
  [new InvalidInputError('leads.0.id'), 400, 'Bad parameter: leads.0.id'],
  [new ConflictError('The last one'), 409, 'The last one'],
  [new NotReadyError(), 503, 'Not ready yet'],
  [new Error('SELECT secret FROM users'), 500, 'Internal Server Error'],
])('%s is answered in the one shape of errors', async (error, status, message) => {
  const response = await failWith(error)
  expect(response.headers.get('retry-after')).toBe(status === 503 ? '5' : null)
  expect(await answerOf(response)).toEqual({ status, body: { error: message } })
})

test('the log has a line without what was searched for, and nothing that a database error quotes', async () => {
  await routeOf({ query, ...withId }, () => ({}))(get('?q=%C3%85sa'), context('karin'))
  const cause = Object.assign(new Error('duplicate key (asa@x.test)'), { code: '23505', detail: 'asa@x.test' })
  await failWith(new Error('Failed query: … params: asa@x.test', { cause }))
  expect(log).toMatch(/"path":"\/api\/things\/:id","status":200[^]*23505/)
  expect(log).not.toMatch(/sa@x|%C3%85sa|Åsa|karin/)
})

test('a session in use is renewed after a quarter of an hour, and not before', async () => {
  const GET = routeOf({}, () => ({}))
  time.ms = Date.now() + 14 * MINUTE_MS
  expect((await GET(get(), context())).headers.get('set-cookie')).toBeNull()
  time.ms = Date.now() + 16 * MINUTE_MS
  const renewed = (await GET(get(), context())).headers.get('set-cookie')
  const name = sessionCookieName(world.env)
  expect(renewed).toMatch(new RegExp(`^${name}=.*; Max-Age=28800; HttpOnly; SameSite=Lax; Secure$`))
  expect(recordUse).toHaveBeenCalledWith('s1')
})

test('a page that asks by itself keeps no session alive', async () => {
  time.ms = Date.now() + 16 * MINUTE_MS
  for (const automatic of [{ 'intag-automatic': '1' }, { accept: 'text/event-stream' }]) {
    const answer = await routeOf({}, () => ({}))(get('', automatic), context())
    expect(answer.headers.get('set-cookie')).toBeNull()
  }
  expect(recordUse).not.toHaveBeenCalled()
})

const body = z.strictObject({ name: z.string().max(9) })

test.each([
  ['{"name":5}', 'Bad parameter: name'],
  ['{', 'The body is not JSON'],
  ['{"name":"a\\u0000b"}', 'Bad parameter: name'],
  ['{"name":"\\ud800"}', 'Bad parameter: name'],
])('the body %s is refused: %s', async (text, error) => {
  const POST = routeOf({ body }, (_, _viewer, input) => input)
  expect(await answerOf(await POST(send(text), context()))).toEqual({ status: 400, body: { error } })
})

test('a signed-in user’s body may be longer, and of a type that the route names', async () => {
  const POST = routeOf({ body, requestTypes: ['text/plain'] }, (_, _viewer, input) => input)
  const long = send(`{"name":"${'x'.repeat(20_000)}"}`, 'text/plain')
  expect(await answerOf(await POST(long, context()))).toMatchObject({ body: { error: 'Bad parameter: name' } })
  const short = send('{"name":"x"}', 'text/plain')
  expect(await answerOf(await POST(short, context()))).toEqual({ status: 200, body: { name: 'x' } })
})

test('a user who must enrol a second factor is refused everywhere but where they enrol', async () => {
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
