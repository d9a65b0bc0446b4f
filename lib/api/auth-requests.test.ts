import { expect, it, test, vi } from 'vitest'
import { postPasswordSignIn, postSignOut, postSingleSignOn } from './auth-requests'

const credentials = { email: 'staff@demo.test', password: 'demo', callbackUrl: '/questions?school=a' }

it('sends the form with the CSRF token, and returns the path that the server says, never another site', async () => {
  const sent = serve('https://elsewhere.test/questions?school=a')
  expect(await postPasswordSignIn(credentials)).toEqual({ ok: true, path: '/questions?school=a' })
  expect(sent).toEqual([['/api/auth/callback/credentials', { ...credentials, csrfToken: 'token-1', json: 'true' }]])
})

it.each([
  ['error=CredentialsSignin&provider=credentials', 'wrong'],
  ['error=Unavailable', 'unavailable'],
  ['error=SecondFactorNeeded', 'factorNeeded'],
  ['csrf=true', 'expired'],
])('understands %s', async (query, reason) => {
  serve(`http://desk.test/signin?${query}`)
  expect(await postPasswordSignIn(credentials)).toEqual({ ok: false, reason })
})

it.each([
  [503, 'busy'],
  [429, 'tooMany'],
])('after %i it says when to come back', async (status, reason) => {
  refuse(status, { 'retry-after': '2' })
  expect(await postPasswordSignIn(credentials)).toEqual({ ok: false, reason, retryAfterSeconds: 2 })
})

it.each([
  ['databaseAway', () => refuse(503, { 'retry-after': '5', 'intag-reason': 'database-away' })],
  ['otherAddress', () => refuse(403, { 'intag-reason': 'other-address' })],
  ['unreachable', () => vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))],
  ['unreachable', () => vi.stubGlobal('fetch', async () => Response.json({}))],
])('says at once why nobody can sign in or out: %s', async (reason, fail) => {
  fail()
  expect(await postPasswordSignIn(credentials)).toEqual({ ok: false, reason })
  expect(await postSignOut()).toBeNull()
  expect(await postSingleSignOn('/')).toBeNull()
})

test('single sign-on begins at the address of the provider', async () => {
  const sent = serve('https://login.example/authorize?state=x')
  expect(await postSingleSignOn('/questions')).toBe('https://login.example/authorize?state=x')
  await postSingleSignOn('/questions', 'login')
  expect(sent.map(([path]) => path)).toEqual(['/api/auth/signin/oidc', '/api/auth/signin/oidc?prompt=login'])
})

test.each([
  ['', '', '/signin?signedOut'],
  ['?csrf=true', '', null],
  ['', 'https://login.example/logout?x=y', 'https://login.example/logout?x=y'],
  ['', 'javascript:alert(1)', '/signin?signedOut'],
])('signing out (answer %j, provider %j) leads to %j', async (query, providerUrl, next) => {
  const sent = serve(`http://desk.test/signin${query}`, providerUrl)
  expect(await postSignOut()).toBe(next)
  expect(sent[0]?.[1]).toMatchObject({ provider: 'true' })
})

/** Makes the server answer with this address, and returns the forms that it receives. */
function serve(url: string, providerUrl?: string) {
  const sent: [string, Record<string, string>][] = []
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    if (path === '/api/auth/csrf') return Response.json({ csrfToken: 'token-1' })
    if (init?.body instanceof URLSearchParams) sent.push([path, Object.fromEntries(init.body)])
    return Response.json({ url, providerUrl })
  })
  return sent
}

/** Makes the server refuse each form. */
function refuse(status: number, headers: Record<string, string>) {
  serve('http://desk.test/questions')
  const take = fetch
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) =>
    init?.method === 'POST' ? new Response('{}', { status, headers }) : take(path, init),
  )
}
