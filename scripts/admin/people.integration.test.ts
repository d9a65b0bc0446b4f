import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createSessions } from '@/server/access/sessions'
import { createActivity } from '@/server/activity/activity'
import { activity as activityTable, users as usersTable } from '@/server/db/schema'
import type { OpenDatabase } from '@/server/db/database'
import { openPgliteInMemory } from '@/server/db/testing/in-memory'
import { createSeal } from '@/server/seal'
import { createInvitations } from '@/server/users/invitations'
import { createUsers } from '@/server/users/users'
import { disable, enable, endSessions, invite, usersCommand } from './people'
import { runAdmin } from './run'

const KEY = Symbol.for('intag.services')
const now = Date.now
let database: OpenDatabase
let told: string[] = []
const connect = async () => database.db
const users = createUsers({ connect, now, demo: false })
const sessions = createSessions({ connect, now, logger: { warn: () => {} }, demo: false })
const env = {
  mode: 'connected',
  databaseUrl: null,
  auth: { url: 'https://intag.test' },
  passwordSignIn: true,
  oidc: null,
}
const activity = createActivity({ connect, now })
const dataKeys = { current: new Uint8Array(32).fill(6), previous: null }
const parts = {
  feed: {},
  env,
  now,
  connect,
  users,
  sessions,
  activity,
  dataKeys,
  seal: createSeal(dataKeys),
  redis: null,
  database: { close: async () => {} },
  invitations: createInvitations({ connect, now }),
  identities: { boundUsers: async () => new Set() },
  announcer: { person: async (id: string) => void told.push(id) },
}

beforeAll(async () => {
  database = await openPgliteInMemory()
  Reflect.set(globalThis, KEY, parts)
})
beforeEach(async () => {
  told = []
  await database.db.delete(activityTable)
  await database.db.delete(usersTable)
})
afterAll(async () => {
  Reflect.deleteProperty(globalThis, KEY)
  await database.close()
})

const run = (...args: string[]) => runAdmin(args, 'intag admin')
const logged = async () =>
  (await database.db.select().from(activityTable)).map(({ action, userId, details }) => ({ action, userId, details }))

test('the first administrator gets a link, and nobody a password', async () => {
  expect(await run('users')).toMatchObject({ code: 0, out: expect.stringContaining('add-admin EMAIL') })
  const { code, out } = await run('add-admin', 'Boss@x.test')
  expect([code, out]).toEqual([0, expect.stringMatching(/^https:\/\/intag\.test\/invite#[\w-]{43}$/)])
  const boss = await users.findByEmail('boss@x.test')
  expect(boss).toMatchObject({ role: 'admin', schools: 'all', passwordHash: null, activatedAt: null })
  expect(await logged()).toEqual([
    { action: 'user-created', userId: null, details: { user: boss?.id, role: 'admin', console: true } },
  ])
  expect(await run('add-admin', 'boss@x.test')).toMatchObject({ code: 1, err: expect.stringContaining('reset-link') })
})

test('whoever is disabled is out at once, everywhere, and comes back without sessions', async () => {
  await invite.run(['eva@x.test', '--name', 'Eva Ek', '--role', 'staff', '--schools', 's1,s2'])
  const { id = '', schools } = (await users.findByEmail('eva@x.test')) ?? {}
  expect(schools).toEqual(['s1', 's2'])
  await users.activate(id)
  await sessions.begin({ userId: id, method: 'password', device: '?', address: '?' })
  expect(await disable.run(['EVA@x.test'])).toContain('let in no more')
  expect([await sessions.list(id, 'staff'), told]).toEqual([[], [id]])
  expect(await disable.run(['eva@x.test'])).toContain('already')
  await enable.run(['eva@x.test'])
  expect(await users.find(id)).toMatchObject({ disabled: false })
  expect(await sessions.list(id, 'staff')).toEqual([])
  await sessions.begin({ userId: id, method: 'password', device: '?', address: '?' })
  expect(await endSessions.run(['eva@x.test'])).toMatch(/^1 ended/)
  expect(told).toEqual([id, id, id])
  expect((await logged()).map(({ action, details }) => [action, details?.console])).toEqual([
    ['user-created', true],
    ['user-changed', true],
    ['user-changed', true],
    ['sessions-ended', true],
  ])
})

test('the last administrator cannot be disabled here either', async () => {
  await run('add-admin', 'boss@x.test')
  await users.activate((await users.findByEmail('boss@x.test'))?.id ?? '')
  expect(await run('disable', 'boss@x.test')).toMatchObject({ code: 1, err: expect.stringContaining('last active') })
})

test('says of everybody who they are and when they came last', async () => {
  await invite.run(['eva@x.test', '--name', 'Eva', '--role', 'manager'])
  const { id = '' } = (await users.findByEmail('eva@x.test')) ?? {}
  await users.activate(id)
  await activity.record({ userId: id, action: 'sign-in', at: new Date('2026-11-23T08:15:00Z') })
  const [head, row] = (await usersCommand.run([])).split('\n')
  expect(head).toMatch(/^email\s+name\s+role\s+schools\s+state\s+last sign-in \(UTC\)\s+second factor$/)
  expect(row).toMatch(/^eva@x\.test\s+Eva\s+manager\s+all\s+active\s+2026-11-23 08:15\s+no$/)
  const people: unknown = JSON.parse(await usersCommand.run(['--json']))
  expect(people).toMatchObject([{ email: 'eva@x.test', secondFactor: false, lastSignIn: '2026-11-23T08:15:00.000Z' }])
})

test.each([
  ['no-such-command'],
  ['users', '--all'],
  ['users', 'somebody'],
  ['disable'],
  ['invite', 'eva@x.test'],
  ['invite', 'eva', '--name', 'Eva', '--role', 'manager'],
  ['invite', 'eva@x.test', '--name', 'Eva', '--role', 'king'],
  ['invite', 'eva@x.test', '--name', 'Eva', '--role', 'staff'],
  ['backup'],
  ['doctor', '--yes'],
])('%s %s is no call, and nothing happens', async (...args) => {
  const { code, out, err } = await run(...args)
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain('intag admin')
  expect(await logged()).toEqual([])
})

test('help lists every command with a line, and says more of one', async () => {
  const { code, out } = await run()
  expect(code).toBe(0)
  for (const name of ['users', 'invite', 'backup', 'restore', 'move', 'rotate-keys', 'doctor', 'verify-log'])
    expect(out).toMatch(new RegExp(`^  ${name} +\\S`, 'm'))
  expect((await run('restore', '--help')).out).toMatch(/^intag admin restore FILE \[--replace\]\n\n/)
})
