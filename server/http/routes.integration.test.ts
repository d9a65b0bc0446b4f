import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '@/lib/contract/endpoint'
import { callerAddress, enterRequest } from '@/server/base/request-context'
import { makeViewer, type Viewer } from '@/server/access/viewer'
import { type Session, sessionCookieName } from '@/server/access/session-cookie'
import { ConflictError, InvalidInputError, NotFoundError, NotReadyError } from '@/server/base/errors'
import { createLogger } from '@/server/base/logger'
import { routeWorld, SARA } from '@/server/http/testing/route-world'
import type { Services } from '@/server/base/services'
import { jsonResponse } from './responses'
import { createRoute, routes, unknownRoutes } from './routes'

const viewer = makeViewer(SARA)
const find = vi.fn<(session: Session) => Promise<Viewer | null>>()
const stored = vi.fn<(session: Session) => Promise<{ method: string; provedAt: Date } | null>>()
const time = { ms: 0 }
const use = vi.fn<(id: string) => void>()
let [log, cookie] = ['', '']
const refused: string[][] = []
const world = routeWorld({
  logger: createLogger({ logLevel: 'info' }, { write: (line) => void (log += line) }),
  viewers: { find, stored },
  sessions: { use },
  now: () => time.ms,
  refusals: (...refusal: string[]) => void refused.push([...refusal, callerAddress() ?? '']),
})
const { env } = world
beforeAll(async () => void (cookie = `theme=dark; ${await world.cookie()}`))
const params = (values: object = {}) => ({ params: Promise.resolve(values) })
const get = (query = '', headers: Record<string, string> = { cookie }) =>
  new Request(`http://intag.test/api/things${query}`, { headers })
const send = (body: BodyInit, headers: Record<string, string> = {}) =>
  new Request('http://intag.test/api/things', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', origin: 'https://intag.test', ...headers },
  })
const route = (
  declared: Partial<Endpoint>,
  verb: (services: Services, viewer: Viewer, input: Record<string, string>, call: { session: Session }) => unknown,
) =>
  createRoute(
    { summary: 'a test', who: 'signed-in', ...declared },
    { label: '/api/things/:id', method: declared.body ? 'POST' : 'GET' },
    verb,
  )
const answerOf = async (response: Response) => ({ status: response.status, body: await response.json() })
const ask = async (handler: ReturnType<typeof route>, request = get(), values = {}) =>
  answerOf(await handler(request, params(values)))
const failWith = (error: unknown) =>
  route({}, () => {
    throw error
  })(get(), params())

beforeEach(() => {
  log = ''
  time.ms = Date.now()
  find.mockReset().mockResolvedValue(viewer)
  use.mockReset()
})

describe('a route', () => {
  const query = z.strictObject({ q: z.string().optional() })

  test('gives the verb the viewer and the input, and its answer as JSON that must not be stored', async () => {
    const declared = { who: 'leads:read', query, params: z.object({ id: z.string() }) } as const
    const GET = route(declared, (_, { id: who }, { q, id }) => ({ who, q, id }))
    const response = await GET(get('?q=x'), params({ id: '7' }))
    expect(response.headers.get('cache-control')).toBe('private, no-store, no-transform')
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await answerOf(response)).toEqual({ status: 200, body: { who: 'u1', q: 'x', id: '7' } })
  })

  test('answers 404 for an id that cannot be stored', async () => {
    const GET = route({ params: z.object({ id: z.string() }) }, (_, _viewer, { id }) => id)
    expect((await GET(get(), params({ id: 'a\0b' }))).status).toBe(404)
  })

  test('keeps a response of the verb, and forbids to store it', async () => {
    const GET = route({}, () => new Response('a;b', { headers: { 'content-type': 'text/csv' } }))
    const { headers } = await GET(get(), params())
    expect([headers.get('content-type'), headers.get('cache-control')]).toEqual(['text/csv', 'private, no-store'])
  })

  test('is closed without a session, and without the permission', async () => {
    const verb = vi.fn<() => unknown>()
    const closed = await route({ who: 'admin' }, verb)(get(), params())
    expect(await answerOf(closed)).toEqual({ status: 403, body: { error: 'Unauthorized' } })
    const nobody = { status: 401, body: { error: 'Unauthenticated' } }
    const open = route({}, verb)
    for (const headers of [{}, { cookie }]) {
      find.mockResolvedValue(null)
      expect(await ask(open, get('?bad=1', headers))).toEqual(nobody)
    }
    expect(verb).not.toHaveBeenCalled()
  })

  test('logs a refusal by the pattern of its path and its address, and none without a user', async () => {
    refused.length = 0
    const closed = route({ who: 'admin', params: z.object({ id: z.string() }) }, () => 1)
    const path = 'http://intag.test/api/things/Karin'
    const headers = { 'x-forwarded-for': '198.51.100.7' }
    await Promise.resolve()
    enterRequest({ id: 'r', address: '192.0.2.9', isOver: false })
    await closed(new Request(path, { headers: { ...headers, cookie } }), params({ id: 'Karin' }))
    await closed(new Request(path, { headers }), params({ id: 'Karin' }))
    expect(refused).toEqual([['u1', 'GET', '/api/things/:id', '192.0.2.9']])
  })

  test.each([
    [new InvalidInputError('leads.0.id'), 400, 'Bad parameter: leads.0.id'],
    [new NotFoundError(), 404, 'Not Found'],
    [new ConflictError('The last one'), 409, 'The last one'],
    [new NotReadyError(), 503, 'Not ready yet'],
    [Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), 503, 'The database cannot be reached'],
    [new Error('SELECT secret FROM users'), 500, 'Internal Server Error'],
  ])('answers %s in the one shape of errors', async (error, status, message) => {
    const response = await failWith(error)
    expect(response.headers.get('retry-after')).toBe(status === 503 ? '5' : null)
    expect(await answerOf(response)).toEqual({ status, body: { error: message } })
  })

  test('leaves a log line without what was searched for, nor what a database error quotes', async () => {
    const one = route({ query, params: z.object({ id: z.string() }) }, () => ({}))
    await one(get('?q=%C3%85sa'), params({ id: 'karin' }))
    const cause = Object.assign(new Error('duplicate key (asa@x.test)'), { code: '23505', detail: 'asa@x.test' })
    await failWith(new Error('Failed query: … params: asa@x.test', { cause }))
    expect(log).toMatch(/"path":"\/api\/things\/:id","status":200[^]*23505/)
    expect(log).not.toMatch(/sa@x|%C3%85sa|Åsa|karin/)
  })

  test('renews a session in use after a quarter of an hour, and not before', async () => {
    const GET = route({}, () => ({}))
    time.ms = Date.now() + 14 * 60_000
    expect((await GET(get(), params())).headers.get('set-cookie')).toBeNull()
    time.ms = Date.now() + 16 * 60_000
    const renewed = (await GET(get(), params())).headers.get('set-cookie')
    expect(renewed).toMatch(new RegExp(`^${sessionCookieName(env)}=.*; Max-Age=28800; HttpOnly; SameSite=Lax; Secure$`))
  })

  test('a page that asks by itself keeps no session alive', async () => {
    const GET = route({}, () => ({}))
    time.ms = Date.now() + 16 * 60_000
    for (const automatic of [{ 'intag-automatic': '1' }, { accept: 'text/event-stream' }]) {
      expect((await GET(get('', { cookie, ...automatic }), params())).headers.get('set-cookie')).toBeNull()
    }
    expect(use).not.toHaveBeenCalled()
    await GET(get(), params())
    expect(use).toHaveBeenCalledWith('s1')
  })
})

describe('a request that changes something', () => {
  const body = z.strictObject({ name: z.string().max(9) })
  const POST = route({ who: 'anyone', body }, (_, _nobody, input) => input)

  test.each([
    ['{"name":5}', {}, 400, 'Bad parameter: name'],
    ['[]', {}, 400, 'Bad parameter: body'],
    ['{', {}, 400, 'The body is not JSON'],
    ['{"name":"a\\u0000b"}', {}, 400, 'Bad parameter: name'],
    ['{"name":"\\ud800"}', {}, 400, 'Bad parameter: name'],
  ])('with body %.20s… answers what is wrong with it', async (text, headers, status, error) => {
    expect(await ask(POST, send(text, headers))).toEqual({ status, body: { error } })
  })

  test('may be longer from a signed-in user, and of a type that the route names', async () => {
    const known = route({ body }, (_, _viewer, input) => input)
    const long = (length: number) => send(`{"name":"${'x'.repeat(length)}"}`, { cookie })
    expect(await ask(known, long(20_000))).toMatchObject({ body: { error: 'Bad parameter: name' } })
    const tooLarge = { status: 413, body: { error: 'The body is larger than 1000 kB' } }
    expect(await ask(known, long(1_000_000))).toEqual(tooLarge)
    const beacon = route({ body, types: ['text/plain'] }, (_, _viewer, input) => input)
    const answer = await beacon(send('{"name":"x"}', { cookie, 'content-type': 'text/plain' }), params())
    expect(await answerOf(answer)).toEqual({ status: 200, body: { name: 'x' } })
  })
})

test('an unknown path and an unknown method answer like every other error, whatever is asked', async () => {
  for (const unknown of Object.values(unknownRoutes))
    expect(await ask(unknown, get('?x=1'))).toEqual({ status: 404, body: { error: 'Not Found' } })
  const { GET: declared, ...others } = routes('/api/status', { GET: () => jsonResponse({}) })
  expect((await declared(get(), params())).status).toBe(200)
  for (const notAllowed of Object.values(others)) {
    const answer = await notAllowed(get('?x=1'), params())
    expect(answer.headers.get('cache-control')).toBe('private, no-store, no-transform')
    expect(await answerOf(answer)).toEqual({ status: 405, body: { error: 'Method Not Allowed' } })
  }
  const foreign = await others.PUT(send('{}', { origin: 'https://evil.example' }), params())
  expect(foreign.status).toBe(403)
})

test('a user who must enrol a second factor is refused everywhere but where they enrol', async () => {
  find.mockResolvedValue(makeViewer({ ...SARA, role: 'admin', schools: 'all' }, { mustEnrol: true }))
  const run = vi.fn<() => object>(() => ({}))
  const body = { error: 'Second factor missing', reason: 'second-factor-missing' }
  for (const who of ['signed-in', 'leads:read'] as const) {
    const closed = await route({ who }, run)(get(), params())
    expect(closed.headers.get('intag-reason')).toBe('second-factor-missing')
    expect(await answerOf(closed)).toEqual({ status: 403, body })
  }
  expect(run).not.toHaveBeenCalled()
  expect((await route({ enrolling: true }, run)(get(), params())).status).toBe(200)
})

test('a route that needs proof checks the permission first', async () => {
  stored.mockResolvedValue({ method: 'password', provedAt: new Date(time.ms - 600_001) })
  const admins = route({ who: 'admin', proof: true }, () => ({}))
  expect(await ask(admins)).toEqual({ status: 403, body: { error: 'Unauthorized' } })
})
