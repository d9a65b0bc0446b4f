import { ORIGIN, signOnWorld, startProviderFor } from '@/server/access/testing/sign-on-world'
import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { sessions as sessionsTable } from '@/server/base/access-schema'
import type { Lies, TestProvider } from '@/server/access/testing/oidc-test-provider'
import { SELF_SIGNED } from '@/server/access/testing/self-signed'

const eva = { idToken: { email: 'eva@skola.example', email_verified: true }, userinfo: { locale: 'sv' } }
const world = signOnWorld(() => ({ eva }))
const { db, sessionRows } = world
const lies = () => world.provider().lies

const open = async (settings: Parameters<typeof world.open>[0] = {}, of?: Pick<TestProvider, 'issuer'>) => {
  const intag = world.open(settings, of)
  await intag.addUser('eva@skola.example')
  return intag
}
type Intag = Awaited<ReturnType<typeof open>>
/** The cause for the user and the log. Also checks that nobody was let in, and that nothing personal or secret is logged. */
const outcome = async (intag: Intag, page: { url: string }) => {
  expect(await sessionRows()).toEqual([])
  const text = JSON.stringify(intag.log)
  expect(text).not.toMatch(/eva|eyJ|@|secret\+of/i)
  const { searchParams } = new URL(page.url)
  const line = intag.log.find(({ code }) => code === searchParams.get('code'))
  expect(line).toMatchObject({ msg: 'single sign-on failed', what: expect.stringMatching(/.{20}/) })
  return [searchParams.get('error'), line?.cause]
}
const without = (claims: Record<string, unknown>, name: string) =>
  Object.fromEntries(Object.entries(claims).filter(([each]) => each !== name))
const now = () => Math.floor(Date.now() / 1000)
const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

describe('a provider that lies', () => {
  test.each<[string, Lies, string, string]>([
    ['another issuer', { idToken: (c) => ({ ...c, iss: 'https://evil.test' }) }, 'setting', 'token-issuer'],
    ['another client', { idToken: (c) => ({ ...c, aud: 'other' }) }, 'setting', 'token-audience'],
    ['another sign-in', { idToken: (c) => ({ ...c, nonce: 'x' }) }, 'expired', 'token-nonce'],
    ['no sign-in', { idToken: (c) => without(c, 'nonce') }, 'expired', 'token-nonce'],
    ['no person', { idToken: (c) => without(c, 'sub') }, 'setting', 'token-unreadable'],
    ['the past', { idToken: (c) => ({ ...c, iat: now() - 900, exp: now() - 600 }) }, 'setting', 'clock'],
    ['the future', { idToken: (c) => ({ ...c, nbf: now() + 600 }) }, 'setting', 'clock'],
    [
      'a clock ten minutes ahead',
      { idToken: (c) => ({ ...c, iat: now() + 600, exp: now() + 900 }) },
      'setting',
      'clock',
    ],
    ['another key', { key: other }, 'setting', 'token-signature'],
    ['nobody: unsigned', { alg: 'none' }, 'setting', 'token-algorithm'],
    ['the shared secret', { alg: 'HS256' }, 'setting', 'token-algorithm'],
    ['another user at userinfo', { userinfo: (c) => ({ ...c, sub: 'nils' }) }, 'setting', 'userinfo-subject'],
    ['nobody at userinfo', { userinfo: (c) => without(c, 'sub') }, 'setting', 'userinfo-subject'],
  ])('an id token for or from %s lets nobody in', async (_, lie, error, cause) => {
    Object.assign(lies(), lie)
    const intag = await open()
    expect(await outcome(intag, await intag.signIn('eva'))).toEqual([`SignOn-${error}`, cause])
    expect(intag.providerCheck.report().lastFailure).toMatchObject({ cause })
  })

  test.each<[string, NonNullable<Lies['discovery']>, string, RegExp]>([
    ['calls itself otherwise', (d) => ({ ...d, issuer: 'https://other.test' }), 'issuer-mismatch', /other\.test/],
    ['is for all tenants', (d) => ({ ...d, issuer: 'https://x.test/{tenantid}/v2.0' }), 'issuer-mismatch', /name one/],
    ['has no token endpoint', (d) => without(d, 'token_endpoint'), 'endpoint-missing', /^token_endpoint$/],
    ['asks elsewhere', (d) => ({ ...d, userinfo_endpoint: 'https://x.test/me' }), 'endpoint-missing', /userinfo/],
    ['has no keys', (d) => ({ ...d, jwks_uri: `${String(d.issuer)}/none` }), 'keys-unreadable', /404/],
  ])('and one that %s is found out before anybody is sent there', async (_, discovery, cause, detail) => {
    lies().discovery = discovery
    const intag = await open()
    const url = await intag.begin()
    expect(await outcome(intag, { url })).toEqual(['SignOn-setting', cause])
    expect(intag.providerCheck.report().problem).toMatchObject({ cause, detail: expect.stringMatching(detail) })
    expect(intag.providerCheck.known()).toBeNull()
  })

  test.each(['PS256', 'ES256'] as const)('a true one may sign by %s', async (alg) => {
    const strong = await startProviderFor({ eva }, { alg, without: ['userinfo_endpoint', 'end_session_endpoint'] })
    const intag = await open({}, strong)
    expect((await intag.signIn('eva')).url).toBe(`${ORIGIN}/questions`)
    expect(await intag.browser.post('signout', { provider: 'true' }), 'it has no such page').toEqual({
      url: `${ORIGIN}/questions`,
    })
    await strong.close()
  })
})

describe('settings that are wrong', () => {
  test('a wrong secret shows at the first sign-in, by its name', async () => {
    const intag = await open({ clientSecret: 'another' })
    expect(await outcome(intag, await intag.signIn('eva'))).toEqual(['SignOn-setting', 'client-secret'])
  })

  test('a certificate that nobody vouches for', async () => {
    const secure = await startProviderFor({ eva }, { tls: SELF_SIGNED })
    const intag = await open({}, secure)
    expect(await outcome(intag, { url: await intag.begin() })).toEqual(['SignOn-setting', 'certificate'])
    expect(intag.providerCheck.report().problem?.detail).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
    await secure.close()
  })

  test('a clock skew is reported before anybody is refused', async () => {
    lies().dateAheadMs = 600_000
    const intag = await open()
    await intag.providerCheck.metadata()
    expect(Math.round((intag.providerCheck.report().clockAheadMs ?? 0) / 10_000)).toBe(60)
    expect(intag.log).toMatchObject([{ clockAheadMs: expect.any(Number) }])
  })
})

describe('a provider that is down or slow', () => {
  test.each<[string, Lies, string]>([
    ['discovery fails', { status: { '/.well-known/openid-configuration': 503 } }, 'provider-error'],
    ['its keys fail', { status: { '/jwks': 503 } }, 'provider-error'],
    ['discovery drips for ever', { drips: '/.well-known/openid-configuration' }, 'provider-slow'],
  ])('and %s: nobody is sent there', async (_, lie, cause) => {
    Object.assign(lies(), lie)
    const intag = await open({ timeoutMs: 400 })
    expect(await outcome(intag, { url: await intag.begin() })).toEqual(['SignOn-unreachable', cause])
  })

  test.each<[string, Lies, string, string]>([
    ['/token fails', { status: { '/token': 503 } }, 'unreachable', 'provider-error'],
    ['/me fails', { status: { '/me': 503 } }, 'unreachable', 'provider-error'],
    ['/me refuses what /token has given', { status: { '/me': 401 } }, 'setting', 'userinfo-refused'],
    ['/token drips for ever', { drips: '/token' }, 'unreachable', 'provider-slow'],
    ['/jwks drips for ever', { drips: '/jwks' }, 'unreachable', 'provider-slow'],
    ['/me drips for ever', { drips: '/me' }, 'unreachable', 'provider-slow'],
  ])('and %s: nobody is let in', async (_, lie, error, cause) => {
    const intag = await open({ timeoutMs: 400 })
    await intag.providerCheck.metadata()
    Object.assign(lies(), lie)
    expect(await outcome(intag, await intag.signIn('eva'))).toEqual([`SignOn-${error}`, cause])
  })
})

describe('the way back', () => {
  test('after a refusal', async () => {
    const intag = await open()
    const page = await intag.browser.visit(await intag.begin())
    expect(await outcome(intag, await intag.browser.visit(`${page.url}/no`))).toEqual([
      'SignOn-refused',
      'access-denied',
    ])
    const again = await intag.browser.visit(await intag.begin())
    const words = encodeURIComponent("AADSTS50105: the user 'eva@skola.example' is not assigned")
    const refused = await intag.browser.visit(`${again.url}/no/${words}`)
    expect(await outcome(intag, refused)).toEqual(['SignOn-refused', 'not-assigned'])
    expect(intag.log.at(-1)).toMatchObject({ detail: 'access_denied AADSTS50105' })
  })

  test.each([
    ['without cookies', 'code=x&state=y'],
    ['with an error that a stranger made up', 'error=access_denied&state=y'],
  ])('%s is nobody, and not remembered as a failure of the provider', async (_, query) => {
    const intag = await open()
    const page = await intag.openBrowser().visit(`${ORIGIN}/api/auth/callback/oidc?${query}`)
    expect(await outcome(intag, page)).toEqual(['SignOn-expired', 'state-lost'])
    expect(intag.providerCheck.report().lastFailure).toBeNull()
  })

  test('from another provider, or with another state, ends before the code is used', async () => {
    const intag = await open()
    for (const change of [{ iss: 'https://evil.test' }, { iss: null }, { state: 'other' }]) {
      const address = new URL(await intag.begin())
      const back = new URL(
        `${ORIGIN}/api/auth/callback/oidc?code=stolen&iss=${encodeURIComponent(world.provider().issuer)}`,
      )
      back.searchParams.set('state', address.searchParams.get('state') ?? '')
      for (const [name, value] of Object.entries(change)) {
        if (value === null) back.searchParams.delete(name)
        else back.searchParams.set(name, value)
      }
      expect(await outcome(intag, await intag.browser.visit(back.href))).toEqual(['SignOn-expired', 'state-lost'])
    }
  })

  test('that is used twice is over', async () => {
    const intag = await open()
    const address = await intag.begin()
    const cookies = [...intag.browser.cookies()]
    const page = await intag.browser.visit(address)
    const form = await intag.browser.ask(`${page.url}/as/eva`)
    const resumed = await intag.browser.ask(form.headers.get('location') ?? '')
    const back = resumed.headers.get('location') ?? ''
    expect((await intag.browser.visit(back)).url).toBe(`${ORIGIN}/questions`)
    await db().delete(sessionsTable)
    for (const [name, value] of cookies) intag.browser.cookies().set(name, value)
    expect(await outcome(intag, await intag.browser.visit(back))).toEqual(['SignOn-expired', 'code-refused'])
  })

  test('of which Intag itself can make nothing says so', async () => {
    const intag = await open()
    vi.spyOn(intag.users, 'findByEmail').mockRejectedValueOnce(new Error('connection lost'))
    const errors = [(await intag.signIn('eva')).url]
    vi.spyOn(intag.sessions, 'begin').mockRejectedValueOnce(new Error('connection lost'))
    errors.push((await intag.signIn('eva')).url)
    expect(errors.map((url) => new URL(url).searchParams.get('error'))).toEqual(Array(2).fill('SignOn-unavailable'))
    expect(intag.browser.cookies().has('next-auth.session-token')).toBe(false)
  })
})
