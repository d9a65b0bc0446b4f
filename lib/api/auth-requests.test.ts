import { describe, expect, it } from 'vitest'
import { postPasswordSignIn, postSignOut, postSingleSignOn } from './auth-requests'

const given = { email: 'staff@demo.test', password: 'demo', callbackUrl: '/questions?school=a' }

describe('signing in with a password', () => {
  it('sends the form with the token it was given, and goes where the server says', async () => {
    const server = authServer('http://desk.test/questions?school=a')
    expect(await postPasswordSignIn(given, server.send)).toEqual({ ok: true, path: '/questions?school=a' })
    expect(server.sent).toEqual([['/api/auth/callback/credentials', { ...given, csrfToken: 'token-1', json: 'true' }]])
  })

  it.each([
    ['error=CredentialsSignin&provider=credentials', { ok: false, reason: 'wrong' }],
    ['error=Unavailable', { ok: false, reason: 'unavailable' }],
    ['error=SecondFactorNeeded', { ok: false, reason: 'factorNeeded' }],
    ['csrf=true', { ok: false, reason: 'expired' }],
  ])('understands %s', async (query, result) => {
    expect(await postPasswordSignIn(given, authServer(`http://desk.test/signin?${query}`).send)).toEqual(result)
  })

  it('waits as long as the server says after too many tries', async () => {
    const send = refusing(429, { 'retry-after': '90' })
    expect(await postPasswordSignIn(given, send)).toEqual({ ok: false, reason: 'tooMany', retryAfterSeconds: 90 })
  })

  it('tries twice more while too many sign in at once, and then says when to come back', async () => {
    const waits: number[] = []
    const wait = async (seconds: number) => void waits.push(seconds)
    const busyFor = (times: number) => refusing(503, { 'retry-after': '2' }, times)
    expect(await postPasswordSignIn(given, busyFor(2), wait)).toEqual({ ok: true, path: '/questions' })
    expect(waits).toEqual([2, 2])
    const refused = { ok: false, reason: 'busy', retryAfterSeconds: 2 }
    expect(await postPasswordSignIn(given, busyFor(3), wait)).toEqual(refused)
  })

  it.each([
    [503, 'database-away', 'databaseAway'],
    [403, 'other-address', 'otherAddress'],
  ])('says at once why nobody can sign in: %s %s', async (status, word, reason) => {
    const send = refusing(status, { 'retry-after': '5', 'intag-reason': word })
    expect(await postPasswordSignIn(given, send)).toEqual({ ok: false, reason })
    expect(await postSignOut(send)).toBeNull()
    expect(await postSingleSignOn('/', undefined, send)).toBeNull()
  })

  it('never leaves this site, whatever address the answer has', async () => {
    const { send } = authServer('https://elsewhere.test/trap')
    expect(await postPasswordSignIn(given, send)).toEqual({ ok: true, path: '/trap' })
  })

  it.each([
    ['no server', () => Promise.reject(new TypeError('no network'))],
    ['JSON of something else', async () => Response.json({})],
  ])('tells %s from a wrong password', async (_, send) => {
    expect(await postPasswordSignIn(given, send)).toEqual({ ok: false, reason: 'unreachable' })
  })
})

it('single sign-on begins at the address of the provider', async () => {
  const server = authServer('https://login.example/authorize?state=x')
  expect(await postSingleSignOn('/questions', undefined, server.send)).toBe('https://login.example/authorize?state=x')
  await postSingleSignOn('/questions', 'login', server.send)
  expect(server.sent).toMatchObject([
    ['/api/auth/signin/oidc', { callbackUrl: '/questions' }],
    ['/api/auth/signin/oidc?prompt=login', { callbackUrl: '/questions' }],
  ])
})

describe('signing out', () => {
  it('says whether it was done', async () => {
    const server = authServer('http://desk.test/signin')
    expect(await postSignOut(server.send)).toBe('/signin?signedOut')
    expect(server.sent[0]?.[1]).toMatchObject({ provider: 'true' })
    expect(await postSignOut(authServer('http://desk.test/signin?csrf=true').send)).toBeNull()
  })

  it('goes on to the provider, and never to a script', async () => {
    const leadsTo = (providerUrl: string) => postSignOut(authServer('http://desk.test/signin', { providerUrl }).send)
    expect(await leadsTo('https://login.example/logout?x=y')).toBe('https://login.example/logout?x=y')
    expect(await leadsTo('javascript:alert(1)')).toBe('/signin?signedOut')
  })
})

function authServer(url: string, more: { providerUrl?: string } = {}) {
  const sent: [string, Record<string, string>][] = []
  const send = async (path: string, init?: RequestInit) => {
    if (path === '/api/auth/csrf') return Response.json({ csrfToken: 'token-1' })
    if (init?.body instanceof URLSearchParams) sent.push([path, Object.fromEntries(init.body)])
    return Response.json({ url, ...more })
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
