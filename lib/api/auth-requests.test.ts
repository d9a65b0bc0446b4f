import { expect, it, test } from 'vitest'
import { postPasswordSignIn, postSignOut, postSingleSignOn } from './auth-requests'

const credentials = { email: 'staff@demo.test', password: 'demo', callbackUrl: '/questions?school=a' }

it('sends the form with the CSRF token, and returns the path that the server says, never another site', async () => {
  const server = authServer('https://elsewhere.test/questions?school=a')
  expect(await postPasswordSignIn(credentials, server.send)).toEqual({ ok: true, path: '/questions?school=a' })
  const form = { ...credentials, csrfToken: 'token-1', json: 'true' }
  expect(server.sent).toEqual([['/api/auth/callback/credentials', form]])
})

it.each([
  ['error=CredentialsSignin&provider=credentials', 'wrong'],
  ['error=Unavailable', 'unavailable'],
  ['error=SecondFactorNeeded', 'factorNeeded'],
  ['csrf=true', 'expired'],
])('understands %s', async (query, reason) => {
  const { send } = authServer(`http://desk.test/signin?${query}`)
  expect(await postPasswordSignIn(credentials, send)).toEqual({ ok: false, reason })
})

it('tries twice more while too many sign in at once, and then says when to come back', async () => {
  const waits: number[] = []
  const wait = async (seconds: number) => void waits.push(seconds)
  const busyFor = (times: number) => refusing(503, { 'retry-after': '2' }, times)
  expect(await postPasswordSignIn(credentials, busyFor(2), wait)).toEqual({ ok: true, path: '/questions' })
  expect(waits).toEqual([2, 2])
  const busy = { ok: false, reason: 'busy', retryAfterSeconds: 2 }
  expect(await postPasswordSignIn(credentials, busyFor(3), wait)).toEqual(busy)
  const tooMany = { ok: false, reason: 'tooMany', retryAfterSeconds: 90 }
  expect(await postPasswordSignIn(credentials, refusing(429, { 'retry-after': '90' }))).toEqual(tooMany)
})

it.each([
  ['databaseAway', refusing(503, { 'retry-after': '5', 'intag-reason': 'database-away' })],
  ['otherAddress', refusing(403, { 'intag-reason': 'other-address' })],
  ['unreachable', () => Promise.reject(new TypeError('no network'))],
  ['unreachable', async () => Response.json({})],
])('says at once why nobody can sign in or out: %s', async (reason, send) => {
  expect(await postPasswordSignIn(credentials, send)).toEqual({ ok: false, reason })
  expect(await postSignOut(send)).toBeNull()
  expect(await postSingleSignOn('/', undefined, send)).toBeNull()
})

test('single sign-on begins at the address of the provider', async () => {
  const server = authServer('https://login.example/authorize?state=x')
  expect(await postSingleSignOn('/questions', undefined, server.send)).toBe('https://login.example/authorize?state=x')
  await postSingleSignOn('/questions', 'login', server.send)
  expect(server.sent.map(([path]) => path)).toEqual(['/api/auth/signin/oidc', '/api/auth/signin/oidc?prompt=login'])
})

test.each([
  ['', '', '/signin?signedOut'],
  ['?csrf=true', '', null],
  ['', 'https://login.example/logout?x=y', 'https://login.example/logout?x=y'],
  ['', 'javascript:alert(1)', '/signin?signedOut'],
])('signing out (answer %j, provider %j) leads to %j', async (query, providerUrl, next) => {
  const server = authServer(`http://desk.test/signin${query}`, providerUrl)
  expect(await postSignOut(server.send)).toBe(next)
  expect(server.sent[0]?.[1]).toMatchObject({ provider: 'true' })
})

function authServer(url: string, providerUrl?: string) {
  const sent: [string, Record<string, string>][] = []
  const send = async (path: string, init?: RequestInit) => {
    if (path === '/api/auth/csrf') return Response.json({ csrfToken: 'token-1' })
    if (init?.body instanceof URLSearchParams) sent.push([path, Object.fromEntries(init.body)])
    return Response.json({ url, providerUrl })
  }
  return { send, sent }
}

/** A server that refuses so many forms, and takes those after them. */
function refusing(status: number, headers: Record<string, string>, times = Infinity) {
  const { send } = authServer('http://desk.test/questions')
  let left = times
  return async (path: string, init?: RequestInit) =>
    init?.method === 'POST' && left-- > 0 ? new Response('{}', { status, headers }) : send(path, init)
}
