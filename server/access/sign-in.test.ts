import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashPassword } from './password'
import { createSignIn } from './sign-in'
import { createThrottle } from './throttle'
import { createActivity } from '@/server/activity/activity'
import { type OpenDatabase } from '@/server/db/database'
import { openPgliteInMemory } from '@/server/db/testing/in-memory'
import { activity as activityTable, signInAttempts, users as usersTable } from '@/server/db/schema'
import { ensureBootstrapAdmin, ensureDemoUsers } from '@/server/users/first-users'
import { createUsers } from '@/server/users/users'

let database: OpenDatabase
let now = 0
beforeAll(async () => {
  database = await openPgliteInMemory()
})
afterAll(() => database.close())
beforeEach(async () => {
  now = Date.UTC(2027, 0, 20, 8)
  for (const table of [activityTable, signInAttempts, usersTable]) await database.db.delete(table)
})

const clock = () => now
const connect = async () => database.db
const partsFor = (mode: 'demo' | 'connected') => ({
  users: createUsers({ connect, now: clock, demo: mode === 'demo' }),
  throttle: createThrottle({ connect, now: clock }),
  activity: createActivity({ connect, now: clock }),
  now: clock,
})
const attempt = (email: string, password: string) => ({ email, password, address: '192.0.2.7' })
const logged = async () => {
  const rows = await database.db.select().from(activityTable).orderBy(asc(activityTable.id))
  return rows.map(({ action, userId, details }) => [action, userId, details?.with])
}

describe('with a password', () => {
  const { users, ...rest } = partsFor('connected')
  const signIn = createSignIn({ users, ...rest })
  const createEva = async () =>
    users.create(database.db, {
      email: 'eva@x.test',
      name: 'Eva',
      role: 'staff',
      schools: 'all',
      passwordHash: await hashPassword('correct horse'),
    })

  test('the right one lets in, and the log says who by id', async () => {
    const eva = await createEva()
    expect(await signIn.withPassword(attempt('EVA@x.test', 'correct horse'))).toMatchObject({
      ok: true,
      user: { id: eva.id },
    })
    expect(await logged()).toEqual([['sign-in', eva.id, 'password']])
  })

  test('a wrong one, an unknown e-mail, an invited and a disabled person are refused alike', async () => {
    const eva = await createEva()
    const refused = { ok: false, reason: 'refused' }
    await users.create(database.db, {
      email: 'invited@x.test',
      name: 'I',
      role: 'staff',
      schools: 'all',
      passwordHash: null,
    })
    expect(await signIn.withPassword(attempt('eva@x.test', 'wrong'))).toEqual(refused)
    expect(await signIn.withPassword(attempt('nobody@x.test', 'wrong'))).toEqual(refused)
    expect(await signIn.withPassword(attempt('invited@x.test', ''))).toEqual(refused)
    await users.change(database.db, eva.id, { disabled: true })
    expect(await signIn.withPassword(attempt('eva@x.test', 'correct horse'))).toEqual(refused)
    expect(JSON.stringify(await database.db.select().from(activityTable))).not.toContain('@')
    expect((await logged())[1]).toEqual(['sign-in-failed', null, 'password'])
  })

  test('after five wrong ones even the right one waits half a minute, and then works', async () => {
    await createEva()
    for (let tries = 0; tries < 5; tries += 1) await signIn.withPassword(attempt('eva@x.test', 'wrong'))
    expect(await signIn.withPassword(attempt('eva@x.test', 'correct horse'))).toEqual({
      ok: false,
      reason: 'too-many-attempts',
      retryAfterSeconds: 30,
    })
    now += 30_000
    expect(await signIn.withPassword(attempt('eva@x.test', 'correct horse'))).toMatchObject({ ok: true })
    expect(await signIn.withPassword(attempt('eva@x.test', 'wrong'))).toEqual({ ok: false, reason: 'refused' })
  })
})

describe('demo accounts', () => {
  const demo = createSignIn(partsFor('demo'))

  test('sign in with the password demo, the staff member with the two schools', async () => {
    await ensureDemoUsers(partsFor('demo').users, ['norra', 'sodra'])
    await ensureDemoUsers(partsFor('demo').users, ['ostra', 'vastra'])
    const people = []
    for (const name of ['staff', 'manager', 'admin']) {
      const result = await demo.withPassword(attempt(`${name}@demo.test`, 'demo'))
      people.push(result.ok && [result.user.role, result.user.schools])
    }
    expect(people).toEqual([
      ['staff', ['ostra', 'vastra']],
      ['manager', 'all'],
      ['admin', 'all'],
    ])
  })

  test('never do so in connected mode, with the same database', async () => {
    await ensureDemoUsers(partsFor('demo').users, ['norra', 'sodra'])
    const connected = createSignIn(partsFor('connected'))
    expect(await connected.withPassword(attempt('admin@demo.test', 'demo'))).toEqual({ ok: false, reason: 'refused' })
  })
})

test('the first administrator is made while there is nobody but demo accounts, and never again', async () => {
  const { users } = partsFor('connected')
  await ensureDemoUsers(partsFor('demo').users, [])
  const first = { email: 'Boss@x.test', password: 'correct horse' }
  expect(await ensureBootstrapAdmin({ connect, users }, null)).toBe(false)
  expect(await ensureBootstrapAdmin({ connect, users }, first)).toBe(true)
  expect(await ensureBootstrapAdmin({ connect, users }, { ...first, email: 'other@x.test' })).toBe(false)
  const [boss, ...others] = await database.db.select().from(usersTable).where(eq(usersTable.demo, false))
  expect(boss).toMatchObject({ email: 'boss@x.test', role: 'admin', schools: 'all', demo: false })
  expect(others).toEqual([])
})
