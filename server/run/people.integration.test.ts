import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createSessions } from '@/server/access/sessions'
import { createActivity } from '@/server/access/activity'
import { activity as activityTable, users as usersTable } from '@/server/base/schema'
import type { OpenDatabase } from '@/server/base/database'
import { FolderInUseError } from '@/server/base/data-folder'
import { openPgliteInMemory } from '@/server/base/testing/in-memory'
import { createInvitations } from '@/server/access/invitations'
import { createUsers } from '@/server/access/users'
import { acceptKey, breakGlass, resetLink } from './access'
import { addAdmin, usersCommand } from './people'
import { consoleWorld } from './testing/console-world'

const env = { auth: { url: 'https://intag.test', secret: '' }, passwordSignIn: true, oidc: null }
const now = Date.now
let database: OpenDatabase
let closed = 0
const connect = async () => database.db
const users = createUsers({ connect, now, demo: false })
const sessions = createSessions({ connect, now, logger: { warn: () => {} }, demo: false })
const activity = createActivity({ connect, now })
const { be, run } = consoleWorld()
const parts = {
  env,
  users,
  sessions,
  database: { close: async () => void (closed += 1) },
  announcer: { userChanged: async () => {} },
  identities: { boundUsers: async () => new Set<string>() },
  invitations: createInvitations({ connect, now }),
}

beforeAll(async () => {
  database = await openPgliteInMemory()
})
beforeEach(() => void be(connect, parts))
afterAll(() => database.close())

const actions = async () => (await database.db.select().from(activityTable)).map(({ action }) => action)
const isIn = async (id: string) => (await sessions.list(id, 'admin')).length > 0

test('break-glass makes an administrator, or marks one, and takes it back at once', async () => {
  expect(await breakGlass.run(['Boss@x.test'])).toMatch(/^https:\/\/intag\.test\/invite#[\w-]{43}$/)
  const boss = await users.findByEmail('boss@x.test')
  expect(boss).toMatchObject({ role: 'admin', breakGlass: true, passwordHash: null })
  await sessions.begin({ userId: boss?.id ?? '', method: 'password', device: '?', address: '?' })
  expect(await breakGlass.run(['boss@x.test', '--off'])).toMatch(/boss@x\.test/)
  expect(await users.findByEmail('boss@x.test')).toMatchObject({ breakGlass: false })
  expect(await isIn(boss?.id ?? '')).toBe(false)
  const staff = { email: 'eva@x.test', name: 'Eva', role: 'staff', schools: 'all', passwordHash: null } as const
  await users.create(database.db, staff)
  await expect(breakGlass.run(['eva@x.test'])).rejects.toThrow('This person is no administrator.')
  expect(await actions()).toEqual(['break-glass-changed', 'break-glass-changed'])
  expect(closed, 'nothing is left open').toBe(3)
})

test('a link sets a first password, then a new one, and none where passwords are switched off', async () => {
  const eva = await users.findByEmail('eva@x.test')
  expect(await resetLink.run(['eva@x.test'])).toMatch(/\/invite#[\w-]{43}$/)
  await users.activate(eva?.id ?? '')
  expect(await resetLink.run(['EVA@x.test'])).toMatch(/\/invite\?reset#[\w-]{43}$/)
  await expect(resetLink.run(['nobody@x.test'])).rejects.toThrow('Nobody has the address "nobody@x.test".')
  be(connect, { ...parts, env: { ...env, passwordSignIn: false } })
  await expect(resetLink.run(['eva@x.test'])).rejects.toThrow(/PASSWORD_SIGN_IN is off/)
})

test('nothing is done to the database of the other mode', async () => {
  be(connect, { ...parts, env: { ...env, mode: 'demo' } })
  for (const command of [breakGlass, resetLink]) {
    await expect(command.run(['boss@x.test'])).rejects.toThrow(/DATA_DIR holds the data of a real service/)
  }
})

test('nothing is done with another DATA_KEY, until the lost key is given up', async () => {
  const other = { current: new Uint8Array(32).fill(9), previous: null }
  be(connect, { ...parts, dataKeys: other })
  for (const command of [breakGlass, resetLink]) {
    await expect(command.run(['boss@x.test'])).rejects.toThrow(
      /DATA_KEY is not the key that this database was sealed with/,
    )
  }
  await expect(acceptKey.run([])).rejects.toThrow(/accept-key --lost/)
  expect(await acceptKey.run(['--lost'])).toContain('DATA_KEY is the key of this database now')
  expect(await resetLink.run(['eva@x.test'])).toContain('/invite')
  expect((await actions()).slice(-2)).toEqual(['settings-changed', 'reset-link-issued'])
  be(connect, parts)
  await acceptKey.run(['--lost'])
})

test('beside an Intag that does not answer it says what to do', async () => {
  const taken = async () => Promise.reject(new FolderInUseError('/data/folder.lock', '7'))
  be(taken, { ...parts, env: { ...env, dataDir: '/data' }, users: createUsers({ connect: taken, now, demo: false }) })
  const says = expect.stringMatching(/by process 7.*Stop Intag, run this, and start it again/)
  expect(await run('reset-link', 'eva@x.test')).toMatchObject({ code: 1, err: says })
})

describe('people', () => {
  beforeEach(async () => {
    await database.db.delete(activityTable)
    await database.db.delete(usersTable)
  })
  const logged = async () =>
    (await database.db.select().from(activityTable)).map(({ action, userId, details }) => ({ action, userId, details }))

  test('the first administrator gets a link, and no password is made', async () => {
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

  test('lists every user with role, state and last sign-in', async () => {
    await addAdmin.run(['eva@x.test', '--name', 'Eva'])
    const { id = '' } = (await users.findByEmail('eva@x.test')) ?? {}
    await users.activate(id)
    await activity.record({ userId: id, action: 'sign-in', at: new Date('2026-11-23T08:15:00Z') })
    const [head, row] = (await usersCommand.run([])).split('\n')
    expect(head).toMatch(/^email\s+name\s+role\s+schools\s+state\s+last sign-in \(UTC\)\s+second factor$/)
    expect(row).toMatch(/^eva@x\.test\s+Eva\s+admin\s+all\s+active\s+2026-11-23 08:15\s+no$/)
    const people: unknown = JSON.parse(await usersCommand.run(['--json']))
    expect(people).toMatchObject([{ email: 'eva@x.test', secondFactor: false, lastSignIn: '2026-11-23T08:15:00.000Z' }])
  })

  test.each([
    ['no-such-command'],
    ['users', '--all'],
    ['users', 'extra'],
    ['add-admin'],
    ['add-admin', 'eva'],
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
    for (const name of ['users', 'add-admin', 'backup', 'restore', 'accept-key', 'doctor'])
      expect(out).toMatch(new RegExp(`^  ${name} +\\S`, 'm'))
    expect((await run('restore', '--help')).out).toMatch(/^intag admin restore FILE \[--replace\]\n\n/)
  })
})
