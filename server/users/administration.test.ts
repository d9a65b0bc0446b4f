import { asc } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Allowed, allow, makeViewer } from '@/server/access/viewer'
import { parseRoleMap } from '@/server/access/access-map'
import { createIdentities } from '@/server/access/identities'
import { verifyPassword } from '@/server/access/password'
import { createSessions } from '@/server/access/sessions'
import { createActivity } from '@/server/activity/activity'
import { type OpenDatabase } from '@/server/db/database'
import { openPgliteInMemory } from '@/server/db/testing/in-memory'
import { activity as activityTable } from '@/server/db/schema'
import { ConflictError, ForbiddenError, NotFoundError } from '@/server/errors'
import { acceptInvitation, createInvitations } from './invitations'
import { changeUser, createUser, inviteAgain, listUsers, unbindUser } from './administration'
import { createUsers } from './users'

const admin = allow(
  makeViewer({ id: 'admin', name: 'Anna', email: 'anna@x.test', role: 'admin', schools: 'all' }),
  'admin',
)
const staff = makeViewer({ id: 'staff', name: 'Sara', email: 'sara@x.test', role: 'staff', schools: 'all' })
const now = () => Date.UTC(2027, 0, 20, 8)

/** Whose open streams were told to look again. */
const told: string[] = []
let database: OpenDatabase
const connect = async () => database.db
const users = createUsers({ connect, now, demo: false })
const parts = {
  connect,
  env: { auth: { url: 'https://intag.test', secret: '' }, oidc: null },
  users,
  identities: createIdentities({ connect, now }),
  sessions: createSessions({ connect, now, logger: { warn: () => {} }, demo: false }),
  invitations: createInvitations({ connect, now }),
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
  expect(await listUsers(parts, admin)).toMatchObject([{ id, email: 'eva@x.test', pending: true, disabled: false }])

  const token = inviteUrl?.split('#')[1] ?? ''
  await acceptInvitation(parts, { token, password: 'correct horse' })
  await expect(acceptInvitation(parts, { token, password: 'another horse' })).rejects.toThrow(NotFoundError)
  const eva = await users.find(id)
  expect(await verifyPassword(eva?.passwordHash ?? null, 'correct horse')).toBe(true)

  expect(await changeUser(parts, admin, id, { schools: 'all', disabled: true })).toMatchObject({
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
  const { inviteUrl: second } = await inviteAgain(parts, admin, id)
  const answer = (url = '') => acceptInvitation(parts, { token: url.split('#')[1] ?? '', password: 'correct horse' })
  await expect(answer(first)).rejects.toThrow(NotFoundError)
  await expect(inviteAgain(parts, staff, id)).rejects.toThrow(ForbiddenError)
  await answer(second)
  await expect(inviteAgain(parts, admin, id)).rejects.toThrow(ConflictError)
  await expect(inviteAgain(parts, admin, 'nobody')).rejects.toThrow(NotFoundError)
})

test('with a password no invitation is needed', async () => {
  const made = await createUser(parts, admin, {
    email: 'boss@x.test',
    name: 'Boss',
    role: 'admin',
    schools: 'all',
    password: 'correct horse',
  })
  expect(made).toEqual({ id: made.id })
  await expect(changeUser(parts, admin, made.id, { disabled: true })).rejects.toThrow(ConflictError)
})

test('an unknown user is not found, and a change of nothing changes nothing', async () => {
  await expect(changeUser(parts, admin, 'nobody', { role: 'staff' })).rejects.toThrow(NotFoundError)
  const [first] = await listUsers(parts, admin)
  const before = await database.db.$count(activityTable)
  expect(await changeUser(parts, admin, first?.id ?? '', {})).toEqual(first)
  expect(await database.db.$count(activityTable)).toBe(before)
})

test('what the provider of single sign-on gives is not changed here, while its map is set', async () => {
  const input = { email: 'ines@x.test', name: 'Ines', role: 'staff', schools: 'all' } as const
  const { id } = await createUser(parts, admin, input)
  await database.db.transaction((tx) => users.change(tx, id, { managed: true }))
  const oidc = {
    issuer: 'https://id.test',
    clientId: 'x',
    clientSecret: 'x',
    name: 'x',
    scope: 'openid',
    trustEmail: false,
  }
  const roleMap = parseRoleMap('groups:Intag=staff')
  const mapped = { ...parts, env: { ...parts.env, oidc: { ...oidc, roleMap, schoolMap: null } } }
  await expect(changeUser(mapped, admin, id, { role: 'admin' })).rejects.toThrow(ConflictError)
  const changed = await changeUser(mapped, admin, id, { schools: ['norra'] })
  expect(changed).toMatchObject({ schools: ['norra'], singleSignOn: { bound: false, role: true, schools: false } })
  expect(await changeUser(mapped, admin, id, { disabled: true }), 'access can be taken away').toMatchObject({
    disabled: true,
  })
  expect(await changeUser(parts, admin, id, { role: 'manager' }), 'without maps').not.toHaveProperty('singleSignOn')
})

test('an administrator unbinds somebody from single sign-on, whose sessions end', async () => {
  const input = { email: 'olle@x.test', name: 'Olle', role: 'staff', schools: 'all' } as const
  const { id } = await createUser(parts, admin, input)
  await expect(unbindUser(parts, admin, id)).rejects.toThrow(NotFoundError)
  const identity = { issuer: 'https://id.test', subject: 's1' }
  await database.db.transaction((tx) => parts.identities.bind(tx, id, identity))
  const session = await parts.sessions.begin({ userId: id, method: 'oidc', device: '?', address: '?' })
  const listed = async () => (await listUsers(parts, admin)).find((user) => user.id === id)?.singleSignOn
  expect(await listed()).toEqual({ bound: true, role: false, schools: false })
  await expect(unbindUser(parts, staff as Allowed<'admin'>, id)).rejects.toThrow(ForbiddenError)
  told.length = 0
  expect(await unbindUser(parts, admin, id)).toEqual({ removed: 1 })
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
  await expect(changeUser(parts, staff, 'admin', { role: 'staff' })).rejects.toThrow(ForbiddenError)
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
    () => changeUser(unlogged, admin, id, { disabled: true }),
    () => inviteAgain(unlogged, admin, id),
    () => acceptInvitation(unlogged, { token, password: 'correct horse' }),
  ]) {
    await expect(attempt()).rejects.toThrow('no log')
  }
  expect([await users.list(), told]).toEqual([before, []])
  await acceptInvitation(parts, { token, password: 'correct horse' })
  expect(told).toEqual([id])
})
