import { ORIGIN, signOnWorld } from '@/server/access/testing/sign-on-world'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { users as usersTable } from '@/server/base/schema'
import { parseRoleMap, parseSchoolMap } from '@/server/base/access-map'
import type { StoredUser } from '@/server/access/users'
import { hashPassword } from '@/server/access/passwords'

const EVA = 'eva@skola.example'
const entra = (claims: Record<string, unknown>) => ({ idToken: { tid: 't1', ...claims }, userinfo: {} })
const keycloak = (claims: Record<string, unknown>) => ({ idToken: {}, userinfo: { email_verified: true, ...claims } })
const accounts = () => ({
  eva: keycloak({ email: 'Eva@skola.example', name: 'Eva Ek' }),
  ulf: keycloak({ email: 'ulf@skola.example', email_verified: false }),
  entraEva: entra({ oid: 'o-eva', email: EVA, groups: ['g-staff'] }),
  entraUpn: entra({ preferred_username: EVA, groups: ['g-admin', 'g-staff'], name: 'Eva Ek' }),
  entraMany: entra({ preferred_username: EVA, _claim_names: { groups: 'src1' } }),
})

const { db, provider, sessionRows, open } = signOnWorld(accounts)
type Intag = ReturnType<typeof open>
const openWithEva = async (settings?: Parameters<typeof open>[0], row?: Partial<StoredUser>) => {
  const intag = open(settings)
  return { intag, id: await intag.addUser(EVA, row) }
}
const userRow = async (id: string) => (await db().select().from(usersTable).where(eq(usersTable.id, id)))[0]
const setUser = (id: string, row: Partial<StoredUser>) => db().update(usersTable).set(row).where(eq(usersTable.id, id))
const elsewhere = (intag: Intag) => ({ within: intag.openBrowser() })
const expectIn = async (page: Promise<{ url: string }>) => expect((await page).url).toBe(`${ORIGIN}/questions`)
const errorOf = async (page: Promise<{ url: string }>) => new URL((await page).url).searchParams.get('error')

describe('who comes in', () => {
  test('a user added by an administrator, by a verified e-mail', async () => {
    const { intag, id } = await openWithEva()
    await expectIn(intag.signIn('eva'))
    expect(intag.browser.cookies().has('next-auth.session-token')).toBe(true)
    expect(await userRow(id)).toMatchObject({ role: 'staff', schools: ['norra'], managed: false, name: 'N' })
    expect((await userRow(id))?.activatedAt).not.toBeNull()
    const entries = ['identity-bound', 'sign-in'].map((action) => [action, id, null])
    expect([await intag.entries(), intag.outcomes]).toEqual([entries, ['provider accepted']])
  })

  test.each([
    ['an unknown person', 'eva', 'other@skola.example', {}, 'unknown-person'],
    ['an e-mail that is not verified', 'ulf', 'ulf@skola.example', {}, 'email-unverified'],
    ['an account of the demo', 'eva', EVA, { demo: true }, 'unknown-person'],
    ['who is disabled', 'eva', EVA, { disabled: true }, 'disabled'],
  ])('not %s', async (_, as, email, row, cause) => {
    const intag = open()
    await intag.addUser(email, row)
    expect(await errorOf(intag.signIn(as))).toBe(`SignOn-${cause}`)
    expect(intag.browser.cookies().has('next-auth.session-token')).toBe(false)
    expect((await intag.entries()).map(([action, , reason]) => [action, reason])).toEqual([['sign-in-failed', cause]])
    expect(intag.outcomes).toEqual([`provider ${cause}`])
    expect((await db().select().from(usersTable)).map(({ issuer }) => issuer)).toEqual([null])
    expect(JSON.stringify(intag.log)).not.toMatch(/@|Eva|ulf/)
  })
})

describe('a person is bound to a subject', () => {
  test('from the second time on by subject alone, whatever the e-mail', async () => {
    const { intag, id } = await openWithEva()
    await intag.signIn('eva')
    provider().accounts.eva = keycloak({ email: 'gift@skola.example', email_verified: false })
    await expectIn(intag.signIn('eva'))
    expect((await intag.entries()).at(-1)).toEqual(['sign-in', id, null])
  })

  test('and a later owner of the e-mail is refused until an administrator unbinds', async () => {
    const { intag, id } = await openWithEva({ trustEmail: true })
    await intag.signIn('eva')
    expect(await errorOf(intag.signIn('entraEva', elsewhere(intag)))).toBe('SignOn-other-account')
    expect((await intag.entries()).at(-1)).toEqual(['sign-in-failed', id, 'other-account'])
    await setUser(id, { issuer: null, subject: null, oid: null })
    await expectIn(intag.signIn('entraEva', elsewhere(intag)))
  })

  test('of this provider; of one of before, the e-mail finds them once more', async () => {
    const { intag, id } = await openWithEva({}, { issuer: 'https://before.test', subject: 'eva', oid: 'o' })
    await expectIn(intag.signIn('eva'))
    expect(await userRow(id)).toMatchObject({ issuer: provider().issuer, subject: 'eva', oid: null })
  })

  test('or to the object id of Entra ID, of which a new app registration gives everybody a new subject, and never to two users', async () => {
    const { intag, id } = await openWithEva({ trustEmail: true })
    await expectIn(intag.signIn('entraEva'))
    provider().lies.idToken = (claims) => ({ ...claims, sub: 'new', email: 'gift@skola.example' })
    provider().lies.userinfo = (claims) => ({ ...claims, sub: 'new' })
    await expectIn(intag.signIn('entraEva', elsewhere(intag)))
    expect((await intag.entries()).at(-1)).toEqual(['sign-in', id, null])
    const other = await intag.addUser('nils@skola.example')
    await setUser(id, { subject: 'before' })
    await setUser(other, { issuer: provider().issuer, subject: 'new' })
    expect(await errorOf(intag.signIn('entraEva', elsewhere(intag)))).toBe('SignOn-other-account')
  })
})

describe('role and schools of the provider', () => {
  const entraMaps = {
    trustEmail: true,
    roleMap: parseRoleMap('groups:g-admin=admin; groups:g-staff=staff'),
    schoolMap: parseSchoolMap('groups:g-staff=norra,sodra; groups:g-admin=all'),
  }

  test('create a user', async () => {
    const intag = open(entraMaps)
    await expectIn(intag.signIn('entraUpn'))
    const person = { email: EVA, name: 'Eva Ek', role: 'admin', schools: 'all', managed: true }
    expect(await intag.users.list()).toMatchObject([person])
    expect((await intag.entries()).map(([action]) => action)).toEqual(['user-created', 'identity-bound', 'sign-in'])
  })

  test('change at the next sign-in, on open streams too, and are not what an administrator had set', async () => {
    const { intag, id } = await openWithEva(entraMaps, { role: 'admin', schools: 'all', activatedAt: new Date() })
    await intag.signIn('entraEva')
    expect(await userRow(id)).toMatchObject({ role: 'staff', schools: ['norra', 'sodra'], managed: true })
    expect(intag.announced).toEqual([id])
    await intag.signIn('entraEva')
    expect(intag.announced, 'nothing has changed').toEqual([id])
  })

  test('that are gone take sessions and invitations along, and come back with the mapping', async () => {
    const intag = open(entraMaps)
    await intag.signIn('entraEva')
    const [{ id } = { id: '' }] = await intag.users.list()
    await setUser(id, { linkHash: 'x' })
    provider().accounts.entraEva = entra({ preferred_username: EVA })
    expect(await errorOf(intag.signIn('entraEva', elsewhere(intag)))).toBe('SignOn-no-access')
    expect(await sessionRows()).toMatchObject([{ endedBy: 'provider', sealedIdToken: null }])
    expect((await userRow(id))?.linkHash).toBeNull()
    expect(intag.announced).toContain(id)
    Object.assign(provider().accounts, accounts())
    await expectIn(intag.signIn('entraEva', elsewhere(intag)))
  })

  test('give nothing to a user who was only added, nor to one from before the maps: sessions and link end', async () => {
    const { intag: before, id } = await openWithEva({}, { linkHash: 'x' })
    const intag = open(entraMaps)
    provider().accounts.entraEva = entra({ preferred_username: EVA, groups: ['other'] })
    expect(await errorOf(intag.signIn('entraEva'))).toBe('SignOn-no-access')
    expect((await userRow(id))?.issuer).toBeNull()
    await before.signIn('eva')
    expect((await userRow(id))?.linkHash, 'a second way in').toBeNull()
    await setUser(id, { linkHash: 'x' })
    expect(await errorOf(intag.signIn('eva', elsewhere(intag)))).toBe('SignOn-no-access')
    expect((await sessionRows()).map(({ endedBy }) => endedBy)).toEqual(['provider'])
    expect([(await userRow(id))?.linkHash, intag.announced]).toEqual([null, [id]])
  })

  test('too many groups are not no groups: nothing is decided, and the log says what to do', async () => {
    const { intag, id } = await openWithEva(entraMaps, { managed: true })
    const session = await intag.sessions.begin({ userId: id, method: 'oidc', device: '?', address: '?' })
    expect(await errorOf(intag.signIn('entraMany'))).toBe('SignOn-setup')
    expect(intag.log.at(-1)).toMatchObject({ detail: expect.stringContaining('groups') })
    expect((await intag.sessions.find(session))?.session.endedAt).toBeNull()
  })

  test("the provider's word holds for the last administrator if it can make another, and only then", async () => {
    const staffOnly = { ...entraMaps, roleMap: parseRoleMap('groups:g-staff=staff') }
    const { intag, id } = await openWithEva(staffOnly, { role: 'admin', activatedAt: new Date() })
    await intag.signIn('entraEva')
    expect(await userRow(id)).toMatchObject({ role: 'admin', schools: ['norra', 'sodra'], managed: true })
    await intag.signIn('entraEva')
    expect(intag.announced, 'the second time nothing has changed').toEqual([id])
    await open(entraMaps).signIn('entraEva')
    expect(await userRow(id)).toMatchObject({ role: 'staff' })
  })

  test('are not gone round with a password, except for who is to break the glass', async () => {
    const passwordHash = await hashPassword('correct horse')
    const { intag } = await openWithEva(entraMaps, { managed: true, passwordHash })
    const attempt = { email: EVA, password: 'correct horse', address: '192.0.2.7' }
    expect(await intag.withPassword(attempt)).toEqual({ ok: false, reason: 'refused' })
    expect(await open().withPassword(attempt), 'without maps').toMatchObject({ ok: true })
    await db().update(usersTable).set({ breakGlass: true, role: 'admin' })
    expect(await intag.withPassword(attempt)).toMatchObject({ ok: true })
  })
})

describe('signing out', () => {
  const promptOf = async (intag: Intag, within = intag.browser) =>
    new URL(await intag.begin('', within)).searchParams.get('prompt')

  test('leads to the provider, which signs out too', async () => {
    const { intag } = await openWithEva()
    await intag.signIn('eva')
    const { url, providerUrl = '' } = await intag.browser.post('signout', { callbackUrl: '/signin', provider: 'true' })
    expect(url).toBe(`${ORIGIN}/`)
    const { origin, searchParams } = new URL(providerUrl)
    expect([origin, searchParams.get('client_id')]).toEqual([provider().issuer, 'intag'])
    expect(searchParams.get('id_token_hint')?.split('.')).toHaveLength(3)
    expect(searchParams.get('post_logout_redirect_uri')).toBe(`${ORIGIN}/signin?signedOut`)
    expect((await intag.browser.visit(providerUrl)).text, 'a form to confirm, not an error').toContain('op.logoutForm')
    await intag.signIn('eva')
    const { csrfToken } = JSON.parse((await intag.browser.visit(`${ORIGIN}/api/auth/csrf`)).text)
    const body = new URLSearchParams({ csrfToken, provider: 'true' })
    const plain = await intag.browser.ask(`${ORIGIN}/api/auth/signout`, { method: 'POST', body })
    expect(plain.status, 'of a plain form').toBe(302)
  })

  test('everywhere, or by an administrator, is no silent way back in for any of the browsers', async () => {
    const { intag, id } = await openWithEva()
    await intag.signIn('eva')
    expect(await promptOf(intag), 'while it holds').toBeNull()
    await intag.sessions.endAll(db(), id, 'admin')
    expect(await promptOf(intag)).toBe('login')
    expect(await promptOf(intag, intag.openBrowser()), 'another browser').toBeNull()
    const { url } = await intag.browser.visit(await intag.begin())
    await intag.browser.visit(`${url}/as/eva`)
    expect(await promptOf(intag), 'proved who they are').toBeNull()
  })

  test('of a script is answered as next-auth has it; the id token, enciphered for its session, goes with it', async () => {
    const { intag } = await openWithEva()
    await intag.signIn('eva')
    const [{ id, sealedIdToken } = { id: '', sealedIdToken: '' }] = await sessionRows()
    expect(sealedIdToken).not.toContain('eyJ')
    expect(intag.seal.decrypt(sealedIdToken ?? '', `sessions ${id}`)).toMatch(/^eyJ/)
    expect(await intag.browser.post('signout')).toEqual({ url: `${ORIGIN}/questions` })
    expect(await sessionRows()).toMatchObject([{ method: 'oidc', endedBy: 'person', sealedIdToken: null }])
  })
})

test('another account can be asked for, and no other parameter is passed on to the provider', async () => {
  const address = new URL(await open().begin('?prompt=login&redirect_uri=https://evil.test&scope=x'))
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    prompt: 'login',
    redirect_uri: `${ORIGIN}/api/auth/callback/oidc`,
    scope: 'openid email profile',
    code_challenge_method: 'S256',
    state: expect.any(String),
    nonce: expect.any(String),
  })
})
