import { emptyDatabase, openIntag, ORIGIN, startProviderFor } from './testing/sign-on-world'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { identities as identitiesTable, sessions as sessionsTable } from '@/server/db/access-schema'
import type { OpenDatabase } from '@/server/db/database'
import { users as usersTable } from '@/server/db/schema'
import { openPgliteInMemory } from '@/server/db/testing/in-memory'
import { parseRoleMap, parseSchoolMap } from './access-map'
import { hashPassword } from './password'
import type { TestProvider } from './testing/oidc-test-provider'

const ROLE = 'http://schemas.microsoft.com/ws/2008/06/identity/claims/role'
const entra = (claims: Record<string, unknown>) => ({ idToken: { tid: 't1', ...claims }, userinfo: {} })
const adfs = (claims: Record<string, unknown>) => ({ idToken: {}, userinfo: claims })
const keycloak = (claims: Record<string, unknown>) => ({ idToken: {}, userinfo: { email_verified: true, ...claims } })
const accounts = () => ({
  eva: keycloak({ email: 'Eva@skola.example', name: 'Eva Ek' }),
  ulf: keycloak({ email: 'ulf@skola.example', email_verified: false }),
  nobody: keycloak({}),
  entraEva: entra({ email: 'eva@skola.example', preferred_username: 'eva@skola.example', groups: ['g-staff'] }),
  entraUpn: entra({ preferred_username: 'eva@skola.example', groups: ['g-admin', 'g-staff'], name: 'Eva Ek' }),
  entraMany: entra({ preferred_username: 'eva@skola.example', _claim_names: { groups: 'src1' } }),
  adfsEva: adfs({ upn: 'eva@skola.example', [ROLE]: ['Rektor: Norra'], given_name: 'Eva', family_name: 'Ek' }),
  cloakEva: keycloak({
    email: 'eva@skola.example',
    realm_access: { roles: ['user'] },
    resource_access: { 'intag.app': { roles: ['personal'] } },
    groups: ['/Skolor/Norra', '/Skolor/Södra'],
  }),
})

let database: OpenDatabase
let provider: TestProvider
beforeAll(async () => {
  vi.stubEnv('NEXTAUTH_URL', ORIGIN)
  database = await openPgliteInMemory()
  provider = await startProviderFor(accounts())
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await provider.close()
  await database.close()
})
beforeEach(() => emptyDatabase(database))
afterEach(() => {
  provider.behave()
  Object.assign(provider.accounts, accounts())
})

const open = (settings: Parameters<typeof openIntag>[2] = {}) => openIntag(database, provider, settings)
const userRow = async (id: string) => (await database.db.select().from(usersTable).where(eq(usersTable.id, id)))[0]
const errorOf = (page: { url: string }) => new URL(page.url).searchParams.get('error')
/** The lines about failures, without their codes. */
const causes = (log: readonly Record<string, unknown>[]) =>
  log.filter(({ msg }) => msg === 'single sign-on failed').map(({ cause }) => cause)

describe('who comes in', () => {
  test('somebody whom an administrator has added, by an e-mail that the provider vouches for', async () => {
    const intag = open()
    const id = await intag.addUser('eva@skola.example')
    expect((await intag.signIn('eva')).url).toBe(`${ORIGIN}/questions`)
    expect(intag.browser.cookies().has('next-auth.session-token')).toBe(true)
    expect(await userRow(id)).toMatchObject({ role: 'staff', schools: ['norra'], managed: false, name: 'N' })
    expect((await userRow(id))?.activatedAt).not.toBeNull()
    expect(await intag.entries()).toEqual([
      ['identity-bound', id, null],
      ['sign-in', id, null],
    ])
    expect(intag.providerCheck.report()).toMatchObject({ problem: null, lastFailure: null, clockAheadMs: 0 })
  })

  test.each([
    ['an unknown person', 'eva', [], 'SignOn-unknown', 'unknown-person'],
    ['an e-mail that is not verified', 'ulf', ['ulf@skola.example'], 'SignOn-setting', 'email-unverified'],
    ['no e-mail', 'nobody', ['eva@skola.example'], 'SignOn-setting', 'email-missing'],
    ['no email_verified at all', 'entraEva', ['eva@skola.example'], 'SignOn-setting', 'email-unverified'],
  ])('not %s', async (_, as, known, error, cause) => {
    const intag = open()
    for (const email of known) await intag.addUser(email)
    const page = await intag.signIn(as)
    expect([errorOf(page), causes(intag.log)]).toEqual([error, [cause]])
    const code = new URL(page.url).searchParams.get('code')
    expect(intag.log.map((line) => line.code).filter((each) => each !== 'OAUTH_CALLBACK_ERROR')).toContain(code)
    expect(code).toMatch(/^[2-9A-HJ-NP-Z]{6}$/)
    expect(intag.browser.cookies().has('next-auth.session-token')).toBe(false)
    expect(intag.providerCheck.report().lastFailure).toMatchObject({ cause, code })
    expect(await intag.entries()).toEqual([['sign-in-failed', null, cause]])
    expect(JSON.stringify(intag.log)).not.toMatch(/@|Eva|ulf/)
  })

  test('nobody who is disabled, nor an account of the demo', async () => {
    const intag = open()
    const id = await intag.addUser('eva@skola.example', { disabled: true })
    expect(errorOf(await intag.signIn('eva'))).toBe('SignOn-unknown')
    await database.db.update(usersTable).set({ disabled: false, demo: true }).where(eq(usersTable.id, id))
    expect(errorOf(await intag.signIn('eva'))).toBe('SignOn-unknown')
    expect(causes(intag.log)).toEqual(['disabled', 'unknown-person'])
    expect(await database.db.select().from(identitiesTable)).toEqual([])
  })

  test('whose addresses the organisation administers, by upn or preferred_username too; never what is said to be unverified', async () => {
    const intag = open({ trustEmail: true })
    await intag.addUser('eva@skola.example')
    await intag.addUser('ulf@skola.example')
    for (const as of ['entraEva', 'ulf'] as const) {
      const { url } = await intag.signIn(as, { within: intag.openBrowser() })
      expect([as, url === `${ORIGIN}/questions`]).toEqual([as, as === 'entraEva'])
    }
    await database.db.delete(identitiesTable)
    for (const as of ['entraUpn', 'adfsEva'] as const) {
      expect((await intag.signIn(as, { within: intag.openBrowser() })).url).toBe(`${ORIGIN}/questions`)
      await database.db.delete(identitiesTable)
    }
  })
})

describe('a person is bound to a subject', () => {
  test('from the second time on by subject alone, whatever the e-mail', async () => {
    const intag = open()
    const id = await intag.addUser('eva@skola.example')
    await intag.signIn('eva')
    provider.accounts.eva = keycloak({ email: 'gift@skola.example', email_verified: false })
    expect((await intag.signIn('eva')).url).toBe(`${ORIGIN}/questions`)
    expect((await intag.entries()).at(-1)).toEqual(['sign-in', id, null])
  })

  test('and whoever gets the e-mail later is not let in as them, until an administrator unbinds', async () => {
    const intag = open({ trustEmail: true })
    const id = await intag.addUser('eva@skola.example')
    await intag.signIn('eva')
    expect(errorOf(await intag.signIn('entraEva', { within: intag.openBrowser() }))).toBe('SignOn-setting')
    expect(causes(intag.log)).toEqual(['bound-otherwise'])
    expect((await intag.entries()).at(-1)).toEqual(['sign-in-failed', id, 'bound-otherwise'])
    await database.db.transaction((tx) => intag.identities.unbind(tx, id))
    expect((await intag.signIn('entraEva', { within: intag.openBrowser() })).url).toBe(`${ORIGIN}/questions`)
  })

  test('two first sign-ins at once bind one identity', async () => {
    const intag = open()
    await intag.addUser('eva@skola.example')
    const pages = await Promise.all([1, 2, 3].map(() => intag.signIn('eva', { within: intag.openBrowser() })))
    expect(pages.map(({ url }) => url)).toEqual(Array(3).fill(`${ORIGIN}/questions`))
    expect(await database.db.select().from(identitiesTable)).toHaveLength(1)
  })
})

describe('role and schools of the provider', () => {
  const entraMaps = {
    trustEmail: true,
    roleMap: parseRoleMap('groups:g-admin=admin; groups:g-staff=staff'),
    schoolMap: parseSchoolMap('groups:g-staff=norra,sodra; groups:g-admin=all'),
  }

  test('Entra ID: somebody new is made by their groups, with the highest role and all schools together', async () => {
    const intag = open(entraMaps)
    expect((await intag.signIn('entraUpn')).url).toBe(`${ORIGIN}/questions`)
    const [made] = await intag.users.list()
    expect(made).toMatchObject({
      email: 'eva@skola.example',
      name: 'Eva Ek',
      role: 'admin',
      schools: 'all',
      managed: true,
    })
    expect((await intag.entries()).map(([action]) => action)).toEqual(['user-created', 'identity-bound', 'sign-in'])
  })

  test('ADFS: from a claim with an odd name, at userinfo only', async () => {
    const intag = open({ trustEmail: true, roleMap: parseRoleMap(`"${ROLE}":"Rektor: Norra"=manager`) })
    expect((await intag.signIn('adfsEva')).url).toBe(`${ORIGIN}/questions`)
    expect((await intag.users.list())[0]).toMatchObject({ name: 'Eva Ek', role: 'manager', schools: [], managed: true })
  })

  test('Keycloak: from the roles of the client and from groups', async () => {
    const intag = open({
      roleMap: parseRoleMap('resource_access.intag.app.roles:personal=staff; realm_access.roles:boss=admin'),
      schoolMap: parseSchoolMap('groups:/Skolor/Norra=norra; groups:/Skolor/Södra=sodra,norra'),
    })
    expect((await intag.signIn('cloakEva')).url).toBe(`${ORIGIN}/questions`)
    expect((await intag.users.list())[0]).toMatchObject({ role: 'staff', schools: ['norra', 'sodra'] })
  })

  test('change at the next sign-in, on open streams too, and are not what an administrator had set', async () => {
    const intag = open(entraMaps)
    const id = await intag.addUser('eva@skola.example', { role: 'admin', schools: 'all', activatedAt: new Date() })
    await intag.signIn('entraEva')
    expect(await userRow(id)).toMatchObject({ role: 'staff', schools: ['norra', 'sodra'], managed: true })
    expect(intag.told).toEqual([id])
    await intag.signIn('entraEva')
    expect(intag.told, 'nothing has changed').toEqual([id])
  })

  test('that are gone take sessions and invitations along, and come back with the mapping', async () => {
    const intag = open(entraMaps)
    await intag.signIn('entraEva')
    const [eva] = await intag.users.list()
    const id = eva?.id ?? ''
    const token = await database.db.transaction((tx) => intag.invitations.issue(tx, id, 'invitation'))
    provider.accounts.entraEva = entra({ preferred_username: 'eva@skola.example' })
    const page = await intag.signIn('entraEva', { within: intag.openBrowser() })
    expect([errorOf(page), causes(intag.log)]).toEqual(['SignOn-unknown', ['nothing-mapped']])
    const kept = await database.db.select().from(sessionsTable)
    expect(kept.map(({ endedBy, sealedIdToken }) => [endedBy, sealedIdToken])).toEqual([['provider', null]])
    expect(await intag.invitations.whose(token)).toBeNull()
    expect(intag.told).toContain(id)
    Object.assign(provider.accounts, accounts())
    expect((await intag.signIn('entraEva', { within: intag.openBrowser() })).url).toBe(`${ORIGIN}/questions`)
  })

  test('give nothing to a stranger, nor to somebody who was only added: no account comes of it', async () => {
    const intag = open(entraMaps)
    await intag.addUser('eva@skola.example')
    provider.accounts.entraEva = entra({ preferred_username: 'eva@skola.example', groups: ['other'] })
    expect(errorOf(await intag.signIn('entraEva'))).toBe('SignOn-unknown')
    expect(causes(intag.log)).toEqual(['nothing-mapped'])
    expect(await database.db.select().from(identitiesTable)).toEqual([])
  })

  test('give nothing to somebody who came before there were maps: they are out, whoever set their role', async () => {
    const before = open()
    const id = await before.addUser('eva@skola.example')
    const issue = () => database.db.transaction((tx) => before.invitations.issue(tx, id, 'invitation'))
    const early = await issue()
    await before.signIn('eva')
    expect(await before.invitations.whose(early), 'a second way in').toBeNull()
    const late = await issue()
    const intag = open(entraMaps)
    expect(errorOf(await intag.signIn('eva'))).toBe('SignOn-unknown')
    expect((await database.db.select().from(sessionsTable)).map(({ endedBy }) => endedBy)).toEqual(['provider'])
    expect(await intag.invitations.whose(late)).toBeNull()
    expect(intag.told).toEqual([id])
  })

  test('too many groups are not no groups: nothing is decided, and the log says what to do', async () => {
    const intag = open(entraMaps)
    await intag.signIn('entraMany')
    const id = await intag.addUser('eva@skola.example', { managed: true })
    const session = await intag.sessions.begin({ userId: id, method: 'oidc', device: '?', address: '?' })
    expect(errorOf(await intag.signIn('entraMany'))).toBe('SignOn-setting')
    expect(causes(intag.log)).toEqual(['group-overage', 'group-overage'])
    expect((await intag.sessions.find(session))?.session.endedAt).toBeNull()
  })

  test("the provider's word holds for the last administrator if it can make another, and only then", async () => {
    const staffOnly = { ...entraMaps, roleMap: parseRoleMap('groups:g-staff=staff') }
    const intag = open(staffOnly)
    const id = await intag.addUser('eva@skola.example', { role: 'admin', activatedAt: new Date() })
    await intag.signIn('entraEva')
    expect(await userRow(id)).toMatchObject({ role: 'admin', schools: ['norra', 'sodra'], managed: true })
    await open(entraMaps).signIn('entraEva')
    expect(await userRow(id)).toMatchObject({ role: 'staff' })
  })

  test('are not gone round with a password, except for who is to break the glass', async () => {
    const passwordHash = await hashPassword('correct horse')
    const intag = open(entraMaps)
    await intag.addUser('eva@skola.example', { managed: true, passwordHash })
    const attempt = { email: 'eva@skola.example', password: 'correct horse', address: '192.0.2.7', device: null }
    expect(await intag.withPassword(attempt)).toEqual({ ok: false, reason: 'refused' })
    expect(await open().withPassword(attempt), 'without maps').toMatchObject({ ok: true })
    await database.db.update(usersTable).set({ breakGlass: true, role: 'admin' })
    expect(await intag.withPassword(attempt)).toMatchObject({ ok: true })
  })
})

describe('signing out', () => {
  test('leads to the provider, which signs out too; afterwards nobody comes in silently', async () => {
    const intag = open()
    await intag.addUser('eva@skola.example')
    await intag.signIn('eva')
    expect(new URL(await intag.begin()).searchParams.has('prompt'), 'signed in there: silently').toBe(false)
    const { url, providerUrl = '' } = await intag.browser.post('signout', { callbackUrl: '/signin', provider: 'true' })
    expect(url).toBe(`${ORIGIN}/`)
    const { origin, searchParams } = new URL(providerUrl)
    expect([origin, searchParams.get('client_id')]).toEqual([provider.issuer, 'intag'])
    expect(searchParams.get('id_token_hint')?.split('.')).toHaveLength(3)
    expect(searchParams.get('post_logout_redirect_uri')).toBe(`${ORIGIN}/signin?signedOut`)
    expect((await intag.browser.visit(providerUrl)).text, 'a form to confirm, not an error').toContain('op.logoutForm')

    expect(new URL(await intag.begin()).searchParams.get('prompt')).toBe('login')
    expect((await intag.signIn('eva')).url).toBe(`${ORIGIN}/questions`)
    expect(new URL(await intag.begin()).searchParams.has('prompt'), 'proved who they are').toBe(false)
  })

  test('everywhere, or by an administrator, is no silent way back in for any of the browsers', async () => {
    const intag = open()
    const id = await intag.addUser('eva@skola.example')
    await intag.signIn('eva')
    expect(new URL(await intag.begin()).searchParams.has('prompt'), 'while it holds').toBe(false)
    await intag.sessions.endAll(database.db, id, 'admin')
    expect(new URL(await intag.begin()).searchParams.get('prompt')).toBe('login')
    expect(new URL(await intag.begin('', intag.openBrowser())).searchParams.has('prompt'), 'another browser').toBe(
      false,
    )
    await intag.browser.visit(await intag.begin()).then(({ url }) => intag.browser.visit(`${url}/as/eva`))
    expect(new URL(await intag.begin()).searchParams.has('prompt'), 'proved who they are').toBe(false)
  })

  test('of a script is answered as next-auth has it, and so is that of a person with a password', async () => {
    const intag = open()
    await intag.addUser('eva@skola.example')
    await intag.signIn('eva')
    expect(await intag.browser.post('signout')).toEqual({ url: `${ORIGIN}/questions` })
    expect(await intag.browser.post('signout', { provider: 'true' })).toEqual({ url: `${ORIGIN}/questions` })
    const [ended] = await database.db.select().from(sessionsTable)
    expect([ended?.endedBy, ended?.sealedIdToken]).toEqual(['person', null])
  })

  test('the id token is kept enciphered, for its own session only', async () => {
    const intag = open()
    await intag.addUser('eva@skola.example')
    await intag.signIn('eva')
    const [row] = await database.db.select().from(sessionsTable)
    expect(row?.method).toBe('oidc')
    expect(row?.sealedIdToken).not.toContain('eyJ')
    expect(intag.seal.open(row?.sealedIdToken ?? '', 'sessions other')).toBeNull()
    expect(intag.seal.open(row?.sealedIdToken ?? '', `sessions ${row?.id}`)).toMatch(/^eyJ/)
  })

  test('another account is asked for where somebody wants it, and nothing else goes along', async () => {
    const intag = open()
    const { searchParams } = new URL(await intag.begin('?prompt=select_account&redirect_uri=https://evil.test&scope=x'))
    expect(searchParams.get('prompt')).toBe('select_account')
    expect(searchParams.get('redirect_uri')).toBe(`${ORIGIN}/api/auth/callback/oidc`)
    expect([searchParams.get('scope'), searchParams.get('code_challenge_method')]).toEqual([
      'openid email profile',
      'S256',
    ])
    provider.lies.discovery = (document) => ({ ...document, prompt_values_supported: ['none', 'login'] })
    const plain = open()
    expect(new URL(await plain.begin('?prompt=select_account')).searchParams.get('prompt')).toBe('login')
  })
})
