import { ORIGIN, signOnWorld } from '@/server/access/testing/sign-on-world'
import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { type Lies, startTestProvider, type TestProvider } from '@/server/access/testing/oidc-test-provider'

const eva = { idToken: { email: 'eva@skola.example', email_verified: true }, userinfo: { locale: 'sv' } }
const world = signOnWorld(() => ({ eva }))
const { sessionRows } = world
const lie = (lies: Lies) => void Object.assign(world.provider().lies, lies)

const open = async (settings: Parameters<typeof world.open>[0] = {}, of?: Pick<TestProvider, 'issuer'>) => {
  const intag = world.open(settings, of)
  await intag.addUser('eva@skola.example')
  return intag
}
/** What the user is told. Also checks that nobody was let in, and that nothing personal or secret is logged. */
const errorOf = async (intag: Awaited<ReturnType<typeof open>>, { url }: { url: string }) => {
  expect(await sessionRows()).toEqual([])
  expect(JSON.stringify(intag.log)).not.toMatch(/\beva\b|eyJ[\w-]+\.|@|secret\+of/i)
  return new URL(url).searchParams.get('error')
}
const nowSeconds = () => Math.floor(Date.now() / 1000)
const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

describe('a provider that lies', () => {
  test.each<[string, Lies]>([
    ['another issuer', { idToken: (c) => ({ ...c, iss: 'https://evil.test' }) }],
    ['another client', { idToken: (c) => ({ ...c, aud: 'other' }) }],
    ['another sign-in', { idToken: (c) => ({ ...c, nonce: 'x' }) }],
    ['no person', { idToken: (c) => ({ ...c, sub: undefined }) }],
    ['the past', { idToken: (c) => ({ ...c, iat: nowSeconds() - 900, exp: nowSeconds() - 600 }) }],
    ['another key', { key: other }],
    ['nobody: unsigned', { alg: 'none' }],
    ['the shared secret', { alg: 'HS256' }],
    ['another user at userinfo', { userinfo: (c) => ({ ...c, sub: 'nils' }) }],
    ['nobody at userinfo', { userinfo: (c) => ({ ...c, sub: undefined }) }],
  ])('an id token for or from %s lets nobody in, and the log has the reason', async (_, lies) => {
    lie(lies)
    const intag = await open()
    expect(await errorOf(intag, await intag.signIn('eva'))).toBe('SignOn-setup')
    const detail = expect.stringMatching(/.{10}/)
    expect(intag.log).toContainEqual(expect.objectContaining({ code: 'OAUTH_CALLBACK_ERROR', detail }))
  })
})

test('a true provider may have no userinfo and no sign-out', async () => {
  const without = ['userinfo_endpoint', 'end_session_endpoint'] as const
  const plain = await startTestProvider({ accounts: { eva }, origin: ORIGIN, without })
  const intag = await open({}, plain)
  const url = `${ORIGIN}/questions`
  expect((await intag.signIn('eva')).url).toBe(url)
  expect(await intag.browser.post('signout', { provider: 'true' })).toEqual({ url })
  await plain.close()
})

describe('a broken provider', () => {
  test.each<[string, Lies, string]>([
    ['description fails', { status: { '/.well-known/openid-configuration': 503 } }, 'unreachable'],
  ])('nobody is sent to one whose %s; once it is mended it is used', async (_, lies, error) => {
    lie(lies)
    const intag = await open()
    expect(await errorOf(intag, { url: await intag.begin() })).toBe(`SignOn-${error}`)
    world.provider().behave()
    expect((await intag.signIn('eva')).url).toBe(`${ORIGIN}/questions`)
  })

  test('one whose description fails when next-auth reads it is unreachable', async () => {
    const intag = await open()
    await intag.providerDiscovery.getMetadata()
    lie({ status: { '/.well-known/openid-configuration': 503 } })
    expect(await errorOf(intag, { url: await intag.begin() })).toBe('SignOn-unreachable')
  })

  test.each([
    ['token', { status: { '/token': 503 } }, {}, ''],
    ['userinfo', { status: { '/me': 401 } }, {}, ''],
    ['client with another secret', {}, { clientSecret: 'another' }, 'invalid_client'],
  ])('without a %s it lets nobody in, and the log has its words', async (_, lies, settings, words) => {
    const intag = await open(settings)
    await intag.providerDiscovery.getMetadata()
    lie(lies)
    expect(await errorOf(intag, await intag.signIn('eva'))).toBe('SignOn-setup')
    expect(JSON.stringify(intag.log)).toContain(words)
  })
})

describe('the way back', () => {
  test('after a refusal: its words are in the log without the person', async () => {
    const intag = await open()
    const page = await intag.browser.visit(await intag.begin())
    const words = encodeURIComponent("AADSTS50105: the user 'eva@skola.example' is not assigned")
    const refused = await intag.browser.visit(`${page.url}/no/${words}`)
    expect(await errorOf(intag, refused)).toBe('SignOn-refused')
    expect(intag.log.at(-1)).toMatchObject({ detail: "access_denied AADSTS50105: the user '…' is not assigned" })
  })

  test.each([
    ['without cookies', 'code=x&state=y'],
    ['with an error that a stranger made up', 'error=access_denied&state=y'],
  ])('%s is nobody', async (_, query) => {
    const intag = await open()
    const page = await intag.openBrowser().visit(`${ORIGIN}/api/auth/callback/oidc?${query}`)
    expect(await errorOf(intag, page)).toBe('SignOn-refused')
  })

  test('with another state ends before the code is used', async () => {
    const intag = await open()
    await intag.begin()
    const query = new URLSearchParams({ iss: world.provider().issuer, code: 'stolen', state: 'other' })
    const page = await intag.browser.visit(`${ORIGIN}/api/auth/callback/oidc?${query}`)
    expect(await errorOf(intag, page)).toBe('SignOn-setup')
    expect(JSON.stringify(intag.log)).not.toContain('invalid_grant')
  })

  test('of which Intag itself can make nothing says so', async () => {
    const intag = await open()
    vi.spyOn(intag.users, 'findByEmail').mockRejectedValueOnce(new Error('connection lost'))
    const { url } = await intag.signIn('eva')
    vi.spyOn(intag.sessions, 'begin').mockRejectedValueOnce(new Error('connection lost'))
    const { url: later } = await intag.signIn('eva')
    expect([url, later]).toEqual(Array(2).fill(`${ORIGIN}/signin?error=Unavailable`))
    expect(intag.browser.cookies().has('next-auth.session-token')).toBe(false)
  })
})
