import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSecondFactors } from '@/server/access/second-factors'
import { createSessions } from '@/server/access/sessions'
import { createThrottle } from '@/server/access/throttle'
import { createActivity } from '@/server/activity/activity'
import { activity as activityTable } from '@/server/db/schema'
import type { OpenDatabase } from '@/server/db/database'
import { FolderInUseError } from '@/server/db/folder-lock'
import { openPgliteInMemory } from '@/server/db/testing/in-memory'
import { createSeal } from '@/server/seal'
import { createInvitations } from '@/server/users/invitations'
import { createUsers } from '@/server/users/users'
import { acceptKey } from './accept-key'
import { breakGlass } from './break-glass'
import { removeFactors } from './remove-factors'
import { resetLink } from './reset-link'

const KEY = Symbol.for('intag.services')
const env = {
  mode: 'connected',
  databaseUrl: null,
  auth: { url: 'https://intag.test', secret: '' },
  passwordSignIn: true,
  oidc: null,
}
const now = Date.now
let database: OpenDatabase
let closed = 0
const told: string[] = []
const connect = async () => database.db
const users = createUsers({ connect, now, demo: false })
const sessions = createSessions({ connect, now, logger: { warn: () => {} }, demo: false })
const dataKeys = { current: new Uint8Array(32), previous: null }
const seal = createSeal(dataKeys)
const parts = {
  feed: {},
  env,
  now,
  connect,
  dataKeys,
  seal,
  users,
  sessions,
  database: { close: async () => void (closed += 1) },
  redis: null,
  announcer: { person: async (id: string) => void told.push(id) },
  identities: { boundUsers: async () => new Set<string>() },
  invitations: createInvitations({ connect, now }),
  activity: createActivity({ connect, now }),
  throttle: createThrottle({ connect, now, hashKey: new Uint8Array(32) }),
  secondFactors: createSecondFactors({ connect, now, seal, passkeys: { verify: async () => null } }),
}

beforeAll(async () => {
  database = await openPgliteInMemory()
  // What services() of this process is; a command asks for these of it.
  Reflect.set(globalThis, KEY, parts)
})
afterAll(async () => {
  Reflect.deleteProperty(globalThis, KEY)
  await database.close()
})

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
  Reflect.set(globalThis, KEY, { ...parts, env: { ...env, passwordSignIn: false } })
  await expect(resetLink.run(['eva@x.test'])).rejects.toThrow(/PASSWORD_SIGN_IN is off/)
  Reflect.set(globalThis, KEY, parts)
})

test('whose telephone is gone comes in by the password alone, and has to', async () => {
  const { id = '' } = (await users.findByEmail('eva@x.test')) ?? {}
  const begun = await parts.secondFactors.beginTotp(database.db, id, 'Telefonen')
  const { TOTP, Secret } = await import('otpauth')
  const code = new TOTP({ secret: Secret.fromBase32(begun.secret) }).generate()
  await parts.secondFactors.confirmTotp(database.db, id, { id: begun.id, code })
  await sessions.begin({ userId: id, method: 'password', device: '?', address: '?' })
  expect(await removeFactors.run(['eva@x.test'])).toBe('1 removed. The password alone lets eva@x.test in now.')
  expect([await parts.secondFactors.check(id, {}), await isIn(id)]).toEqual(['none', false])
})

test('nothing is done to the database of the other mode', async () => {
  Reflect.set(globalThis, KEY, { ...parts, env: { ...env, mode: 'demo' } })
  for (const { run } of [breakGlass, resetLink, removeFactors]) {
    await expect(run(['boss@x.test'])).rejects.toThrow(/DATA_DIR holds the data of a real service/)
  }
  Reflect.set(globalThis, KEY, parts)
})

test('nothing is done with another DATA_KEY, until the one of before is given up', async () => {
  const other = { current: new Uint8Array(32).fill(9), previous: null }
  Reflect.set(globalThis, KEY, { ...parts, dataKeys: other, seal: createSeal(other) })
  for (const { run } of [breakGlass, resetLink, removeFactors]) {
    await expect(run(['boss@x.test'])).rejects.toThrow(/DATA_KEY is not the key that this database was sealed with/)
  }
  await expect(acceptKey.run([])).rejects.toThrow(/accept-key --lost/)
  expect(await acceptKey.run(['--lost'])).toContain('DATA_KEY is the key of this database now')
  expect(await resetLink.run(['eva@x.test'])).toContain('/invite')
  expect((await actions()).slice(-2)).toEqual(['settings-changed', 'reset-link-issued'])
  Reflect.set(globalThis, KEY, parts)
  await acceptKey.run(['--lost'])
})

test('beside a running Intag it says what to do', async () => {
  const taken = async () => Promise.reject(new FolderInUseError('/data/folder.lock', '7'))
  Reflect.set(globalThis, KEY, { ...parts, users: createUsers({ connect: taken, now, demo: false }), connect: taken })
  await expect(resetLink.run(['eva@x.test'])).rejects.toThrow(/by process 7.*Stop Intag, run this, and start it again/)
  Reflect.set(globalThis, KEY, parts)
})
