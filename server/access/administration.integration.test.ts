import { asc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { parseRoleMap } from '@/server/base/access-map'
import { matchesPassword } from './passwords'
import { type Allowed, allow, makeViewer } from './viewer'
import { PASSWORD, signInWorld } from './testing/sign-in-world'
import { createContactIds } from '@/server/leads/contact-id'
import { activity as activityTable, users as usersTable } from '@/server/base/schema'
import { ConflictError, ForbiddenError, InvalidInputError, NotFoundError } from '@/server/base/errors'
import type { HighSchoolList } from '@/server/feed/list-source'
import { emptyListState } from '@/server/feed/list-state'
import { changeUser, createUser, issueLink, listUsers, unbindUser } from './administration'
import { acceptInvitation } from './invitations'
import { testServices } from '@/server/testing/services'
import { createUsers } from './users'

const boss = { id: 'admin', name: 'Anna', email: 'anna@x.test', role: 'admin', schools: 'all' } as const
const admin = allow(makeViewer(boss), 'admin')
const staff = makeViewer({ ...boss, id: 'staff', role: 'staff' })
const env = { auth: { url: 'https://intag.test', secret: '' }, oidc: null, passwordSignIn: true }
const oidc = {
  issuer: 'https://id.test',
  clientId: 'intag',
  clientSecret: 'x',
  name: 'Skolan',
  trustEmail: false,
  roleMap: null,
  schoolMap: null,
}
const eva = { email: 'eva@x.test', name: 'Eva', role: 'staff' as const, schools: ['norra'] }
const { db, announced, parts: base } = signInWorld()
const { connect, users, now } = base
const highSchools = [
  { id: 'norra', name: 'Katedralskolan' },
  { id: 'sodra', name: 'Rudbeckianska' },
]
const contactIds = createContactIds({ current: new Uint8Array(32), previous: null })
const withoutMail = { mailer: null, contactIds }
const content: HighSchoolList = { highSchools, unreadable: [] }
const parts = testServices({
  ...base,
  env,
  feed: { highSchools: () => ({ ...emptyListState<HighSchoolList>(), content }) },
  ...withoutMail,
})
const withEnv = (more: object) => testServices({ ...parts, env: { ...env, ...more } })
const logged = async () => {
  const rows = await db().select().from(activityTable).orderBy(asc(activityTable.id))
  return rows.map(({ action, userId, details }) => [action, userId, details])
}
const actions = async () => (await logged()).map(([action]) => action)
const invited = async (other: Partial<typeof eva> = {}) => {
  const { id, inviteUrl } = await createUser(parts, admin, { ...eva, ...other })
  return { id, inviteUrl, token: tokenOf(inviteUrl) }
}
const tokenOf = (url: string) => url.split('#')[1] ?? ''
const accept = (token: string, password = PASSWORD) => acceptInvitation(parts, null, { token, password })
const link = (id: string, by = parts) => issueLink(by, admin, { id })

test('an administrator invites a user, who sets a password; then takes the access away again', async () => {
  const { id, inviteUrl, token } = await invited()
  expect(inviteUrl).toMatch(/^https:\/\/intag\.test\/invite#[\w-]{43}$/)
  const listed = { id, email: 'eva@x.test', pending: true, disabled: false }
  expect((await listUsers(parts, admin)).users).toMatchObject([listed])
  await accept(token)
  await expect(accept(token, 'another horse battery')).rejects.toThrow(NotFoundError)
  expect(await matchesPassword((await users.find(id))?.passwordHash ?? null, PASSWORD)).toBe(true)
  const closed = { schools: 'all', disabled: true } as const
  expect(await changeUser(parts, admin, { id, ...closed })).toMatchObject({ ...closed, pending: false })
  expect(announced).toEqual([id, id])
  expect(JSON.stringify(await listUsers(parts, admin))).not.toMatch(/argon|password/i)
  expect(await logged()).toEqual([
    ['user-created', 'admin', { user: id, role: 'staff' }],
    ['invitation-accepted', id, null],
    ['user-changed', 'admin', { user: id, schools: 'all', disabled: true }],
  ])
})

test('an invitation that was lost is issued again, and the one before no longer holds', async () => {
  const { id, token } = await invited()
  const { inviteUrl } = await link(id)
  await expect(accept(token)).rejects.toThrow(NotFoundError)
  await expect(issueLink(parts, staff, { id })).rejects.toThrow(ForbiddenError)
  await expect(changeUser(parts, staff, { id, role: 'admin' })).rejects.toThrow(ForbiddenError)
  await accept(tokenOf(inviteUrl))
  await expect(link('nobody')).rejects.toThrow(NotFoundError)
})

test('a user who signed in before gets a link for a new password, which is used once and ends every session', async () => {
  const { id, token } = await invited()
  await accept(token)
  await parts.sessions.begin({ userId: id, method: 'password', device: '?', address: '?' })
  const { inviteUrl: reset } = await link(id)
  expect(reset).toMatch(/^https:\/\/intag\.test\/invite\?reset#[\w-]{43}$/)
  const kept = async () => (await parts.sessions.list(id, 'staff')).length
  expect(await kept(), 'until it is used').toBe(1)
  await accept(tokenOf(reset), 'another horse battery')
  expect(await kept()).toBe(0)
  await expect(accept(tokenOf(reset), 'a third horse battery')).rejects.toThrow(NotFoundError)
  expect((await actions()).slice(-2)).toEqual(['reset-link-issued', 'password-reset'])
})

test('a password that is none is refused with the reason, and the link holds on', async () => {
  const { token } = await invited({ email: 'bo.karlsson@x.test', name: 'Bo Karlsson' })
  for (const [password, reason] of [
    ['elevenchars', 'too-short'],
    ['Karlsson-2027', 'context'],
    ['Katedralskolan', 'context'],
  ] as const) {
    const error: unknown = await accept(token, password).catch((it: unknown) => it)
    expect(error).toBeInstanceOf(InvalidInputError)
    expect(error).toMatchObject({ field: 'password', reason })
  }
  await expect(accept(token)).resolves.toBeUndefined()
})

test('no link leads past a disabled account, the demo, or the provider', async () => {
  const { id } = await invited()
  await changeUser(parts, admin, { id, disabled: true })
  await expect(link(id)).rejects.toThrow(ConflictError)
  const demoUsers = createUsers({ connect, now, demo: true })
  await demoUsers.restoreDemo({ ...eva, email: 'staff@demo.test', passwordHash: 'h' })
  const demo = await demoUsers.findByEmail('staff@demo.test')
  await expect(link(demo?.id ?? '', testServices({ ...parts, users: demoUsers }))).rejects.toThrow(ConflictError)
  const { id: theirs } = await invited({ email: 'sso@x.test' })
  await db().update(usersTable).set({ activatedAt: new Date() }).where(eq(usersTable.id, theirs))
  await expect(link(theirs, withEnv({ oidc }))).rejects.toThrow(ConflictError)
  expect(await link(theirs), 'the provider is gone').toHaveProperty('inviteUrl')
})

test('where passwords are switched off nobody gets a link but whom the command line named', async () => {
  const closed = withEnv({ oidc, passwordSignIn: false })
  const { id: before, token } = await invited()
  const acceptClosed = (given: string) => acceptInvitation(closed, null, { token: given, password: PASSWORD })
  await expect(acceptClosed(token)).rejects.toThrow(ConflictError)
  await expect(link(before, closed)).rejects.toThrow(ConflictError)
  const made = await createUser(closed, admin, { ...eva, email: 'closed@x.test' })
  expect(made.inviteUrl).toBe('https://intag.test/signin')
  const glass = { ...eva, email: 'glass@x.test', role: 'admin', passwordHash: null, breakGlass: true } as const
  const { id } = await users.create(db(), glass)
  await acceptClosed(tokenOf((await link(id, closed)).inviteUrl))
})

test('an unknown user is not found, and a change of nothing changes nothing', async () => {
  await expect(changeUser(parts, admin, { id: 'nobody', role: 'staff' })).rejects.toThrow(NotFoundError)
  const { id } = await invited()
  const [first] = (await listUsers(parts, admin)).users
  expect(await changeUser(parts, admin, { id })).toEqual(first)
  expect(await actions()).toEqual(['user-created'])
})

test('what the provider of single sign-on gives is not changed here, while its map is set', async () => {
  const { id } = await invited()
  await db().transaction((tx) => users.change(tx, id, { managed: true }))
  const mapped = withEnv({ oidc: { ...oidc, roleMap: parseRoleMap('groups:Intag=staff') } })
  await expect(changeUser(mapped, admin, { id, role: 'admin' })).rejects.toThrow(ConflictError)
  const singleSignOn = { bound: false, role: true, schools: false }
  expect(await changeUser(mapped, admin, { id, schools: ['sodra'] })).toMatchObject({
    schools: ['sodra'],
    singleSignOn,
  })
  const out = await changeUser(mapped, admin, { id, disabled: true })
  expect(out, 'access can be taken away').toMatchObject({ disabled: true })
  expect(await changeUser(parts, admin, { id, role: 'manager' }), 'without maps').not.toHaveProperty('singleSignOn')
})

test('an administrator unbinds a user from single sign-on, whose sessions end', async () => {
  const { id } = await invited()
  await expect(unbindUser(parts, admin, { id })).rejects.toThrow(NotFoundError)
  await db().update(usersTable).set({ issuer: 'https://id.test', subject: 's1' }).where(eq(usersTable.id, id))
  const session = await parts.sessions.begin({ userId: id, method: 'oidc', device: '?', address: '?' })
  const listed = async () => (await listUsers(parts, admin)).users.map(({ singleSignOn }) => singleSignOn)
  expect(await listed()).toEqual([{ bound: true, role: false, schools: false }])
  await expect(unbindUser(parts, staff as Allowed<'admin'>, { id })).rejects.toThrow(ForbiddenError)
  expect(announced).toEqual([])
  expect(await unbindUser(parts, admin, { id })).toEqual({ removed: 1 })
  expect([await listed(), announced]).toEqual([[undefined], [id]])
  expect((await parts.sessions.find(session))?.session.endedBy).toBe('admin')
  expect((await logged()).at(-1)).toEqual(['identities-removed', 'admin', { user: id, count: 1 }])
})

test('a password that cannot be logged is not set, and the link holds on', async () => {
  const { id, token } = await invited()
  const unlogged = testServices({ ...parts, activity: { recordIn: () => Promise.reject(new Error('no log')) } })
  await expect(acceptInvitation(unlogged, null, { token, password: PASSWORD })).rejects.toThrow('no log')
  expect([(await users.find(id))?.passwordHash, announced]).toEqual([null, []])
  await accept(token)
  expect(announced).toEqual([id])
})
