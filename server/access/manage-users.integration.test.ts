import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { parseRoleMap, parseSchoolMap } from '@/server/base/access-map'
import { ConflictError, NotFoundError } from '@/server/base/errors'
import { users as usersTable } from '@/server/base/schema'
import { testServices } from '@/server/testing/services'
import { acceptPasswordLink } from './invitations'
import { changeUser, createUser, issueLink, listUsers } from './manage-users'
import { PASSWORD, signInWorld } from './testing/sign-in-world'
import { createUsers, type StoredUser } from './users'
import { requirePermission, makeViewer } from './viewer'

const boss = { id: 'admin', name: 'Anna', email: 'anna@x.test', role: 'admin', schools: 'all' } as const
const admin = requirePermission(makeViewer(boss), 'admin')
const oidc = { issuer: 'https://id.test', roleMap: null, schoolMap: null }
const eva = { email: 'eva@x.test', name: 'Eva', role: 'staff' as const, schools: ['norra'] }
const { db, announced, entries, parts: base } = signInWorld()
const { connect, users, now } = base
const parts = testServices({ ...base, mailer: null })
const withEnv = (more: object) => testServices({ ...parts, env: { ...base.env, ...more } })
const tokenOf = (url: string) => url.split('#')[1] ?? ''
const invited = async (other: Partial<typeof eva> = {}) => {
  const { id, inviteUrl } = await createUser(parts, admin, { ...eva, ...other })
  return { id, inviteUrl, token: tokenOf(inviteUrl) }
}
const accept = (token: string, password = PASSWORD, by = parts) => acceptPasswordLink(by, null, { token, password })
const link = (id: string, by = parts) => issueLink(by, admin, { id })
const setRow = (id: string, row: Partial<StoredUser>) => db().update(usersTable).set(row).where(eq(usersTable.id, id))
const listedAs = async (id: string) => (await listUsers(parts, admin)).users.find((user) => user.id === id)

test('an administrator invites a user, who sets a password; resets it; then takes the access away again', async () => {
  const { id, inviteUrl, token } = await invited()
  expect(inviteUrl).toMatch(/^https:\/\/intag\.test\/invite#[\w-]{43}$/)
  expect(await listedAs(id)).toMatchObject({ email: 'eva@x.test', pending: true, disabled: false })
  await accept(token)
  const { inviteUrl: reset } = await link(id)
  expect(reset).toMatch(/^https:\/\/intag\.test\/invite\?reset#[\w-]{43}$/)
  await accept(tokenOf(reset), 'another horse battery')
  const closed = { schools: 'all', disabled: true } as const
  expect(await changeUser(parts, admin, { id, ...closed })).toMatchObject({ ...closed, pending: false })
  expect(announced).toEqual([id, id, id])
  expect(JSON.stringify(await listedAs(id))).not.toMatch(/argon|password/i)
  expect(await entries()).toEqual([
    ['user-created', 'admin', { user: id, role: 'staff' }],
    ['invitation-accepted', id, null],
    ['reset-link-issued', 'admin', { user: id }],
    ['password-reset', id, null],
    ['user-changed', 'admin', { user: id, schools: 'all', disabled: true }],
  ])
})

test('a password that is none, or cannot be logged, is not set, and the link holds on', async () => {
  const { id, token } = await invited({ email: 'bo.karlsson@x.test' })
  await expect(accept(token, 'Bo-Karlsson-27')).rejects.toMatchObject({ field: 'password', reason: 'context' })
  const unlogged = testServices({ ...parts, activity: { recordIn: () => Promise.reject(new Error('no log')) } })
  await expect(accept(token, PASSWORD, unlogged)).rejects.toThrow('no log')
  expect([(await users.find(id))?.passwordHash, announced]).toEqual([null, []])
  await accept(token)
  expect(announced).toEqual([id])
})

test('no link leads past a disabled account, the demo, or the provider', async () => {
  const { id } = await invited()
  await changeUser(parts, admin, { id, disabled: true })
  await expect(link(id)).rejects.toThrow(ConflictError)
  const demoUsers = createUsers({ connect, now, isDemo: true })
  await demoUsers.ensureDemoUser({ ...eva, email: 'staff@demo.test', passwordHash: 'h' })
  const demo = await demoUsers.findByEmail('staff@demo.test')
  await expect(link(demo?.id ?? '', testServices({ ...parts, users: demoUsers }))).rejects.toThrow(ConflictError)
  const { id: theirs } = await invited({ email: 'sso@x.test' })
  await setRow(theirs, { activatedAt: new Date() })
  await expect(link(theirs, withEnv({ oidc }))).rejects.toThrow(ConflictError)
  expect(await link(theirs), 'the provider is gone').toHaveProperty('inviteUrl')
  await expect(link('nobody')).rejects.toThrow(NotFoundError)
})

test('where passwords are switched off nobody gets a link but the address of the page', async () => {
  const closed = withEnv({ oidc, hasPasswordSignIn: false })
  const { id: before, token } = await invited()
  await expect(accept(token, PASSWORD, closed)).rejects.toThrow(ConflictError)
  await expect(link(before, closed)).rejects.toThrow(ConflictError)
  const made = await createUser(closed, admin, { ...eva, email: 'closed@x.test' })
  expect(made.inviteUrl).toBe('https://intag.test/signin')
})

test('what the provider of single sign-on gives is not changed here, while its map is set', async () => {
  const { id } = await invited()
  await setRow(id, { managed: true })
  const mapped = withEnv({ oidc: { ...oidc, roleMap: parseRoleMap('groups:Intag-Admin=staff') } })
  await expect(changeUser(mapped, admin, { id, role: 'admin' })).rejects.toThrow(ConflictError)
  const changed = await changeUser(mapped, admin, { id, schools: ['sodra'], disabled: true })
  const singleSignOn = { bound: false, role: true, schools: false }
  expect(changed, 'access can be taken away').toMatchObject({ schools: ['sodra'], disabled: true, singleSignOn })
  const schoolMap = parseSchoolMap('groups:Norra=norra')
  await expect(changeUser(withEnv({ oidc: { ...oidc, schoolMap } }), admin, { id, schools: [] })).rejects.toThrow(
    ConflictError,
  )
  expect(await changeUser(parts, admin, { id, role: 'manager' }), 'without maps').not.toHaveProperty('singleSignOn')
})

test('unbinding from single sign-on ends the sessions of a bound user only; a change with it is logged as well', async () => {
  const { id } = await invited()
  const session = await parts.sessions.begin({ userId: id, method: 'password', device: '?', address: '?' })
  const unbind = async (disabled = false) => {
    const { singleSignOn } = await changeUser(parts, admin, { id, bound: false, ...(disabled && { disabled }) })
    return [singleSignOn, (await parts.sessions.find(session))?.session.endedBy]
  }
  expect(await unbind()).toEqual([undefined, null])
  await setRow(id, { issuer: 'https://id.test', subject: 's1' })
  expect((await listedAs(id))?.singleSignOn).toEqual({ bound: true, role: false, schools: false })
  expect(await unbind(true)).toEqual([undefined, 'admin'])
  expect(announced).toContain(id)
  expect(await entries()).toEqual([
    ['user-created', 'admin', { user: id, role: 'staff' }],
    ['identities-removed', 'admin', { user: id, count: 1 }],
    ['user-changed', 'admin', { user: id, disabled: true }],
  ])
})
