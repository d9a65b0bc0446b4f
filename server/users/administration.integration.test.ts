import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Allowed, allow, makeViewer } from '@/server/access/viewer'
import { parseRoleMap } from '@/server/access/access-map'
import { createIdentities } from '@/server/access/identities'
import { createKnownDevices } from '@/server/access/known-devices'
import { verifyPassword } from '@/server/access/password'
import { createSessions } from '@/server/access/sessions'
import { createThrottle } from '@/server/access/throttle'
import { createActivity } from '@/server/activity/activity'
import { type OpenDatabase } from '@/server/db/database'
import { openPgliteInMemory } from '@/server/db/testing/in-memory'
import { activity as activityTable, users as usersTable } from '@/server/db/schema'
import { ConflictError, ForbiddenError, InvalidInputError, NotFoundError } from '@/server/errors'
import { acceptInvitation, createInvitations } from './invitations'
import { changeUser, createUser, issueLink, listUsers, unbindUser } from './administration'
import { emptyListState } from '@/server/feed/list-state'
import type { HighSchoolList } from '@/server/feed/list-source'
import { createUsers } from './users'

const admin = allow(
  makeViewer({ id: 'admin', name: 'Anna', email: 'anna@x.test', role: 'admin', schools: 'all' }),
  'admin',
)
const staff = makeViewer({ id: 'staff', name: 'Sara', email: 'sara@x.test', role: 'staff', schools: 'all' })
const now = () => Date.UTC(2027, 0, 20, 8)

const env = { auth: { url: 'https://intag.test', secret: '' }, oidc: null, passwordSignIn: true }
const oidc = {
  issuer: 'https://id.test',
  clientId: 'intag',
  clientSecret: 'x',
  name: 'Skolan',
  scope: 'openid',
  trustEmail: false,
  roleMap: null,
  schoolMap: null,
}
const person = { email: 'eva@x.test', name: 'Eva', role: 'staff' as const, schools: ['norra'] }
const tokenOf = (url: string) => url.split('#')[1] ?? ''
const logged = async () =>
  (await database.db.select().from(activityTable).orderBy(asc(activityTable.id))).map(({ action }) => action)
/** Whose open streams were told to look again. */
const told: string[] = []
let database: OpenDatabase
const connect = async () => database.db
const users = createUsers({ connect, now, demo: false })
const content: HighSchoolList = {
  highSchools: [
    { id: 'norra', name: 'Katedralskolan' },
    { id: 'sodra', name: 'Rudbeckianska' },
  ],
  unreadable: [],
}
const parts = {
  connect,
  env,
  feed: { highSchools: () => ({ ...emptyListState<HighSchoolList>(), content }) },
  users,
  identities: createIdentities({ connect, now }),
  sessions: createSessions({ connect, now, logger: { warn: () => {} }, demo: false }),
  invitations: createInvitations({ connect, now }),
  throttle: createThrottle({ connect, now, hashKey: new Uint8Array(32) }),
  activity: createActivity({ connect, now }),
  announcer: { person: async (userId: string) => void told.push(userId) },
}
beforeAll(async () => {
  database = await openPgliteInMemory()
})
afterAll(() => database.close())

test('an administrator invites somebody, who sets a password; then takes the access away again', async () => {
  const { id, inviteUrl } = await createUser(parts, admin, {
    email: 'eva@x.test',
    name: 'Eva',
    role: 'staff',
    schools: ['norra'],
  })
  expect(inviteUrl).toMatch(/^https:\/\/intag\.test\/invite#[\w-]{43}$/)
  expect((await listUsers(parts, admin)).users).toMatchObject([
    { id, email: 'eva@x.test', pending: true, disabled: false },
  ])

  const token = inviteUrl?.split('#')[1] ?? ''
  await acceptInvitation(parts, null, { token, password: 'correct horse battery' })
  await expect(acceptInvitation(parts, null, { token, password: 'another horse battery' })).rejects.toThrow(
    NotFoundError,
  )
  const eva = await users.find(id)
  expect(await verifyPassword(eva?.passwordHash ?? null, 'correct horse battery')).toBe(true)

  expect(await changeUser(parts, admin, { id: id, schools: 'all', disabled: true })).toMatchObject({
    schools: 'all',
    disabled: true,
    pending: false,
  })
  expect(told).toEqual([id, id])
  expect(JSON.stringify(await listUsers(parts, admin))).not.toMatch(/argon|password/i)

  const log = await database.db.select().from(activityTable).orderBy(asc(activityTable.id))
  expect(log.map(({ action, userId, details }) => [action, userId, details])).toEqual([
    ['user-created', 'admin', { user: id, role: 'staff' }],
    ['invitation-accepted', id, null],
    ['user-changed', 'admin', { user: id, schools: 'all', disabled: true }],
  ])
})

test('an invitation that was lost is issued anew, and the one before no longer holds', async () => {
  const input = { email: 'late@x.test', name: 'Late', role: 'staff', schools: ['norra'] } as const
  const { id, inviteUrl: first } = await createUser(parts, admin, { ...input, schools: ['norra'] })
  const { inviteUrl: second } = await issueLink(parts, admin, { id })
  const answer = (url = '') =>
    acceptInvitation(parts, null, { token: url.split('#')[1] ?? '', password: 'correct horse battery' })
  await expect(answer(first)).rejects.toThrow(NotFoundError)
  await expect(issueLink(parts, staff, { id })).rejects.toThrow(ForbiddenError)
  await answer(second)
  await expect(issueLink(parts, admin, { id: 'nobody' })).rejects.toThrow(NotFoundError)
})

test('somebody who has come before gets a link for a new password, which is used once and ends every session', async () => {
  const { id, inviteUrl } = await createUser(parts, admin, { ...person, email: 'again@x.test' })
  await acceptInvitation(parts, null, { token: tokenOf(inviteUrl), password: 'correct horse battery' })
  const sessions = createSessions({ connect, now, logger: { warn: () => {} }, demo: false })
  await sessions.begin({ userId: id, method: 'password', device: '?', address: '?' })
  const devices = createKnownDevices({ connect, now, env })
  const device = /=([^;]*)/.exec(await devices.remember(null, id))?.[1] ?? ''
  const { inviteUrl: reset } = await issueLink(parts, admin, { id })
  expect(reset).toMatch(/^https:\/\/intag\.test\/invite\?reset#[\w-]{43}$/)
  expect(await sessions.list(id, 'staff'), 'until it is used').toHaveLength(1)
  expect(await devices.isKnown(device, id)).toBe(true)
  await acceptInvitation(parts, null, { token: tokenOf(reset), password: 'another horse battery' })
  expect(await sessions.list(id, 'staff')).toEqual([])
  expect(await devices.isKnown(device, id), 'whoever had the old one may have made it known').toBe(false)
  const refused = acceptInvitation(parts, null, { token: tokenOf(reset), password: 'a third horse battery' })
  await expect(refused).rejects.toThrow(NotFoundError)
  expect((await logged()).slice(-2)).toEqual(['reset-link-issued', 'password-reset'])
})

test('a password that is none is refused with the reason, and the link holds on', async () => {
  const { inviteUrl } = await createUser(parts, admin, { ...person, email: 'bo.karlsson@x.test', name: 'Bo Karlsson' })
  const token = tokenOf(inviteUrl)
  const reasonFor = (password: string) =>
    acceptInvitation(parts, null, { token, password }).catch(
      (error: unknown) => error instanceof InvalidInputError && error,
    )
  expect(await reasonFor('elevenchars')).toMatchObject({ field: 'password', reason: 'too-short' })
  expect(await reasonFor('x'.repeat(201))).toMatchObject({ reason: 'too-long' })
  expect(await reasonFor('Password1234')).toMatchObject({ reason: 'common' })
  expect(await reasonFor('Karlsson-2027')).toMatchObject({ reason: 'context' })
  expect(await reasonFor('Katedralskolan'), 'their school').toMatchObject({ reason: 'context' })
  expect(await reasonFor('correct horse battery')).toBeUndefined()
})

test('no link leads past a disabled account, the demo, or the provider', async () => {
  const { id } = await createUser(parts, admin, { ...person, email: 'gone@x.test' })
  await changeUser(parts, admin, { id: id, disabled: true })
  await expect(issueLink(parts, admin, { id })).rejects.toThrow(ConflictError)

  const demoUsers = createUsers({ connect, now, demo: true })
  await demoUsers.restoreDemo({ ...person, email: 'staff@demo.test', passwordHash: 'h' })
  const demo = await demoUsers.findByEmail('staff@demo.test')
  await expect(issueLink({ ...parts, users: demoUsers }, admin, { id: demo?.id ?? '' })).rejects.toThrow(ConflictError)

  const { id: theirs } = await createUser(parts, admin, { ...person, email: 'sso@x.test' })
  await users.activate(theirs)
  await expect(issueLink({ ...parts, env: { ...env, oidc } }, admin, { id: theirs })).rejects.toThrow(ConflictError)
  expect(await issueLink(parts, admin, { id: theirs }), 'the provider is gone').toHaveProperty('inviteUrl')
})

test('where passwords are switched off nobody gets a link but whom the command line named', async () => {
  const closed = { ...parts, env: { ...env, oidc, passwordSignIn: false } }
  const { id: before, inviteUrl: open } = await createUser(parts, admin, { ...person, email: 'before@x.test' })
  const late = acceptInvitation(closed, null, { token: tokenOf(open), password: 'correct horse battery' })
  await expect(late).rejects.toThrow(ConflictError)
  await expect(issueLink(closed, admin, { id: before })).rejects.toThrow(ConflictError)
  const made = await createUser(closed, admin, { ...person, email: 'closed@x.test' })
  expect(made.inviteUrl).toBe('https://intag.test/signin')
  const boss = await users.create(database.db, { ...person, email: 'glass@x.test', role: 'admin', passwordHash: null })
  await database.db.update(usersTable).set({ breakGlass: true }).where(eq(usersTable.id, boss.id))
  const { inviteUrl } = await issueLink(closed, admin, { id: boss.id })
  await acceptInvitation(closed, null, { token: tokenOf(inviteUrl), password: 'correct horse battery' })
})

test('an unknown user is not found, and a change of nothing changes nothing', async () => {
  await expect(changeUser(parts, admin, { id: 'nobody', role: 'staff' })).rejects.toThrow(NotFoundError)
  const [first] = (await listUsers(parts, admin)).users
  const before = await database.db.$count(activityTable)
  expect(await changeUser(parts, admin, { id: first?.id ?? '' })).toEqual(first)
  expect(await database.db.$count(activityTable)).toBe(before)
})

test('what the provider of single sign-on gives is not changed here, while its map is set', async () => {
  const input = { email: 'ines@x.test', name: 'Ines', role: 'staff', schools: 'all' } as const
  const { id } = await createUser(parts, admin, input)
  await database.db.transaction((tx) => users.change(tx, id, { managed: true }))
  const roleMap = parseRoleMap('groups:Intag=staff')
  const mapped = { ...parts, env: { ...parts.env, oidc: { ...oidc, roleMap, schoolMap: null } } }
  await expect(changeUser(mapped, admin, { id: id, role: 'admin' })).rejects.toThrow(ConflictError)
  const changed = await changeUser(mapped, admin, { id: id, schools: ['norra'] })
  expect(changed).toMatchObject({ schools: ['norra'], singleSignOn: { bound: false, role: true, schools: false } })
  expect(await changeUser(mapped, admin, { id: id, disabled: true }), 'access can be taken away').toMatchObject({
    disabled: true,
  })
  expect(await changeUser(parts, admin, { id: id, role: 'manager' }), 'without maps').not.toHaveProperty('singleSignOn')
})

test('an administrator unbinds somebody from single sign-on, whose sessions end', async () => {
  const input = { email: 'olle@x.test', name: 'Olle', role: 'staff', schools: 'all' } as const
  const { id } = await createUser(parts, admin, input)
  await expect(unbindUser(parts, admin, { id })).rejects.toThrow(NotFoundError)
  const identity = { issuer: 'https://id.test', subject: 's1' }
  await database.db.transaction((tx) => parts.identities.bind(tx, id, identity))
  const session = await parts.sessions.begin({ userId: id, method: 'oidc', device: '?', address: '?' })
  const listed = async () => (await listUsers(parts, admin)).users.find((user) => user.id === id)?.singleSignOn
  expect(await listed()).toEqual({ bound: true, role: false, schools: false })
  await expect(unbindUser(parts, staff as Allowed<'admin'>, { id })).rejects.toThrow(ForbiddenError)
  told.length = 0
  expect(await unbindUser(parts, admin, { id })).toEqual({ removed: 1 })
  expect([await listed(), told]).toEqual([undefined, [id]])
  expect((await parts.sessions.find(session))?.session.endedBy).toBe('admin')
  const log = await database.db.select().from(activityTable).orderBy(asc(activityTable.id))
  expect(log.at(-1)).toMatchObject({ action: 'identities-removed', userId: 'admin', details: { user: id, count: 1 } })
})

test('nobody else may look at or change users', async () => {
  const input = { email: 'x@x.test', name: 'X', role: 'admin', schools: 'all' } as const
  expect(() => allow(staff, 'admin')).toThrow(ForbiddenError)
  // The compiler refuses this; whoever gets past it is refused all the same.
  await expect(createUser(parts, staff as Allowed<'admin'>, input)).rejects.toThrow(ForbiddenError)
  await expect(changeUser(parts, staff, { id: 'admin', role: 'staff' })).rejects.toThrow(ForbiddenError)
})

test('what cannot be logged does not happen', async () => {
  const input = { email: 'nils@x.test', name: 'Nils', role: 'staff', schools: 'all' } as const
  const { id, inviteUrl } = await createUser(parts, admin, input)
  const token = inviteUrl?.split('#')[1] ?? ''
  const before = await users.list()
  told.length = 0
  const unlogged = { ...parts, activity: { recordIn: () => Promise.reject(new Error('no log')) } }
  for (const attempt of [
    () => createUser(unlogged, admin, { ...input, email: 'new@x.test' }),
    () => changeUser(unlogged, admin, { id: id, disabled: true }),
    () => issueLink(unlogged, admin, { id }),
    () => acceptInvitation(unlogged, null, { token, password: 'correct horse battery' }),
  ]) {
    await expect(attempt()).rejects.toThrow('no log')
  }
  expect([await users.list(), told]).toEqual([before, []])
  await acceptInvitation(parts, null, { token, password: 'correct horse battery' })
  expect(told).toEqual([id])
})
