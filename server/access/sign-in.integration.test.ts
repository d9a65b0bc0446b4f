import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { hashPassword } from './password'
import { createSignIn } from './sign-in'
import { attempt, signInWorld } from './testing/sign-in-world'
import { activity as activityTable, users as usersTable } from '@/server/db/schema'
import { createIsNobodyYet, ensureBootstrapAdmin, ensureDemoUsers } from '@/server/users/first-users'

const { db, pass, connect, devices, partsFor, logged } = signInWorld()
/** What a browser has after signing in. */
const deviceOf = async (userId: string) => /=([^;]*)/.exec(await devices.remember(null, userId))?.[1] ?? ''

describe('with a password', () => {
  const { users, ...rest } = partsFor('connected')
  const signIn = createSignIn({ users, ...rest })
  const createEva = async () =>
    users.create(db(), {
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
    await users.create(db(), {
      email: 'invited@x.test',
      name: 'I',
      role: 'staff',
      schools: 'all',
      passwordHash: null,
    })
    expect(await signIn.withPassword(attempt('eva@x.test', 'wrong'))).toEqual(refused)
    expect(await signIn.withPassword(attempt('nobody@x.test', 'wrong'))).toEqual(refused)
    expect(await signIn.withPassword(attempt('invited@x.test', ''))).toEqual(refused)
    await users.change(db(), eva.id, { disabled: true })
    expect(await signIn.withPassword(attempt('eva@x.test', 'correct horse'))).toEqual(refused)
    expect(JSON.stringify(await db().select().from(activityTable))).not.toContain('@')
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
    pass(30_000)
    expect(await signIn.withPassword(attempt('eva@x.test', 'correct horse'))).toMatchObject({ ok: true })
    expect(await signIn.withPassword(attempt('eva@x.test', 'wrong'))).toEqual({ ok: false, reason: 'refused' })
  })
})

describe('somebody else who guesses', () => {
  const { users, ...rest } = partsFor('connected')
  const eva = async () => {
    const passwordHash = await hashPassword('correct horse')
    return users.create(db(), { email: 'eva@x.test', name: 'Eva', role: 'staff', schools: 'all', passwordHash })
  }
  const tries = async (
    signIn: ReturnType<typeof createSignIn>,
    times: number,
    addressOf: (index: number) => string,
  ) => {
    for (let index = 0; index < times; index += 1) {
      await signIn.withPassword(attempt('eva@x.test', 'wrong', { address: addressOf(index) }))
    }
  }

  test('from one address shuts out neither the person elsewhere nor on a device of theirs, there or anywhere', async () => {
    const signIn = createSignIn({ users, ...rest })
    const device = await deviceOf((await eva()).id)
    await tries(signIn, 60, () => '192.0.2.7')
    expect(await signIn.withPassword(attempt('eva@x.test', 'correct horse'))).toMatchObject({ ok: false })
    for (const more of [{ address: '198.51.100.1' }, { device }, { device, address: '203.0.113.1' }]) {
      expect(await signIn.withPassword(attempt('eva@x.test', 'correct horse', more))).toMatchObject({ ok: true })
    }
  })

  test('from everywhere is slowed down as one, and the person’s own device still passes', async () => {
    const signIn = createSignIn({ users, ...rest })
    const device = await deviceOf((await eva()).id)
    await tries(signIn, 40, (index) => `10.0.${index}.1`)
    const elsewhere = attempt('eva@x.test', 'correct horse', { address: '198.51.100.1' })
    expect(await signIn.withPassword(elsewhere)).toMatchObject({ reason: 'too-many-attempts' })
    expect(await signIn.withPassword(attempt('eva@x.test', 'correct horse', { device }))).toMatchObject({ ok: true })
    expect(await signIn.withPassword(elsewhere)).toMatchObject({ ok: true })
  })

  test('within one IPv6 network is one, however many addresses it has', async () => {
    const signIn = createSignIn({ users, ...rest })
    await eva()
    await tries(signIn, 5, (index) => `2001:db8:1:2::${index}`)
    const next = attempt('eva@x.test', 'correct horse', { address: '2001:db8:1:2:ffff::1' })
    expect(await signIn.withPassword(next)).toMatchObject({ reason: 'too-many-attempts' })
  })

  test('on a known device of somebody else is a stranger, and a stolen device guesses no faster', async () => {
    const signIn = createSignIn({ users, ...rest })
    const { id } = await eva()
    const other = { email: 'bo@x.test', name: 'Bo', role: 'staff', schools: 'all', passwordHash: null } as const
    const bos = await deviceOf((await users.create(db(), other)).id)
    for (let index = 0; index < 5; index += 1)
      await signIn.withPassword(attempt('eva@x.test', 'wrong', { device: bos }))
    const right = (device: string) => signIn.withPassword(attempt('eva@x.test', 'correct horse', { device }))
    expect(await right(bos)).toMatchObject({ reason: 'too-many-attempts' })
    const evas = await deviceOf(id)
    for (let index = 0; index < 10; index += 1)
      await signIn.withPassword(attempt('eva@x.test', 'wrong', { device: evas }))
    expect(await right(evas)).toMatchObject({ reason: 'too-many-attempts' })
  })

  test('is in the log: each failure, and once for each wait that it was throttled', async () => {
    const signIn = createSignIn(partsFor('connected'))
    const { id } = await eva()
    await tries(signIn, 9, () => '192.0.2.7')
    pass(30_000)
    await tries(signIn, 3, () => '192.0.2.7')
    const [failed, throttled] = ['sign-in-failed', 'sign-in-throttled']
    expect((await logged()).map(([action]) => action)).toEqual([
      failed,
      failed,
      failed,
      failed,
      failed,
      throttled,
      failed,
      throttled,
    ])
    expect(new Set((await logged()).map(([, userId]) => userId))).toEqual(new Set([id]))
  })

  test('with many connections at once gets four places, and leaves the others to others', async () => {
    const signIn = createSignIn({ users, ...rest })
    const device = await deviceOf((await eva()).id)
    const flood = Array.from({ length: 40 }, () => signIn.withPassword(attempt('eva@x.test', 'wrong')))
    const elsewhere = signIn.withPassword(attempt('nobody@x.test', 'wrong', { address: '198.51.100.1' }))
    const known = signIn.withPassword(attempt('eva@x.test', 'correct horse', { device }))
    const outcomes = await Promise.allSettled(flood)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
    expect(outcomes.at(-1)).toMatchObject({ reason: { name: 'NotReadyError', retryAfterSeconds: 2 } })
    expect(await elsewhere).toEqual({ ok: false, reason: 'refused' })
    expect(await known).toMatchObject({ ok: true })
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
  const { users, env } = partsFor('connected')
  await ensureDemoUsers(partsFor('demo').users, [])
  const first = { email: 'Boss@x.test', password: 'correct horse battery' }
  const isNobodyYet = createIsNobodyYet({ users, env: { mode: 'connected', oidc: null } })
  expect(await isNobodyYet()).toBe(true)
  expect(await createIsNobodyYet({ users, env: { mode: 'demo', oidc: null } })()).toBe(false)
  expect(await ensureBootstrapAdmin({ connect, users, env }, null)).toBe(false)
  const common = ensureBootstrapAdmin({ connect, users, env }, { ...first, password: 'password1234' })
  await expect(common).rejects.toThrow(/BOOTSTRAP_ADMIN_PASSWORD is one that many people use/)
  expect(await ensureBootstrapAdmin({ connect, users, env }, first)).toBe(true)
  expect(await isNobodyYet()).toBe(false)
  expect(await ensureBootstrapAdmin({ connect, users, env }, { ...first, email: 'other@x.test' })).toBe(false)
  const [boss, ...others] = await db().select().from(usersTable).where(eq(usersTable.demo, false))
  expect(boss).toMatchObject({ email: 'boss@x.test', role: 'admin', schools: 'all', demo: false })
  expect(others).toEqual([])
})
