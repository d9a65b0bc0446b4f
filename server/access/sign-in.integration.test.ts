import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { activity as activityTable, users as usersTable } from '@/server/base/schema'
import { createIsNobodyYet, ensureBootstrapAdmin, ensureDemoUsers } from './first-users'
import { createUsers } from './users'
import { createSignIn } from './sign-in'
import { attempt, PASSWORD, signInWorld } from './testing/sign-in-world'

const { db, clock, pass, parts, signIn, person, begin, withApp, deviceOf, logLines, actions } = signInWorld()
const right = attempt('eva@x.test', PASSWORD)
const wrong = attempt('eva@x.test', 'wrong')
const refused = { ok: false, reason: 'refused' }
const tooMany = { ok: false, reason: 'too-many-attempts' }
const tryIn = signIn.withPassword
const tries = async (times: number, moreOf: (index: number) => { address?: string; device?: string } = () => ({})) => {
  for (let index = 0; index < times; index += 1) await tryIn({ ...wrong, ...moreOf(index) })
}

describe('with a password', () => {
  test('the right one lets in, and the log says who by id', async () => {
    const { id } = await person()
    expect(await tryIn(attempt('EVA@x.test', PASSWORD))).toMatchObject({ ok: true, user: { id } })
    expect(await logLines()).toEqual([['sign-in', id, 'password']])
  })

  test('a wrong one, an unknown e-mail, an invited and a disabled person are refused alike', async () => {
    const { id } = await person()
    await person({ email: 'invited@x.test', passwordHash: null })
    for (const each of [wrong, attempt('nobody@x.test', 'wrong'), attempt('invited@x.test', '')])
      expect(await tryIn(each)).toEqual(refused)
    await parts.users.change(db(), id, { disabled: true })
    expect(await tryIn(right)).toEqual(refused)
    expect(JSON.stringify(await db().select().from(activityTable))).not.toContain('@')
    expect((await logLines())[1]).toEqual(['sign-in-failed', null, 'password'])
  })

  test('after five wrong ones even the right one waits half a minute, and then works', async () => {
    await person()
    await tries(5)
    expect(await tryIn(right)).toEqual({ ...tooMany, retryAfterSeconds: 30 })
    pass(30_000)
    expect(await tryIn(right)).toMatchObject({ ok: true })
    expect(await tryIn(wrong)).toEqual(refused)
  })

  test('where passwords are switched off only administrators whom the command line named come in by one', async () => {
    const closed = createSignIn({ ...parts, env: { passwordSignIn: false, oidc: null } })
    const outcomes = []
    for (const [email, role, breakGlass] of [
      ['admin@x.test', 'admin', false],
      ['glass@x.test', 'admin', true],
      ['staff@x.test', 'staff', true],
    ] as const) {
      await person({ email, role, breakGlass })
      outcomes.push((await closed.withPassword(attempt(email, PASSWORD))).ok)
    }
    expect(outcomes).toEqual([false, true, false])
    expect((await actions())[0]).toBe('sign-in-failed')
  })
})

describe('another person who guesses', () => {
  test('from one address locks the person out neither elsewhere nor on a device of theirs, there or anywhere', async () => {
    const device = await deviceOf((await person()).id)
    await tries(60)
    expect(await tryIn(right)).toMatchObject({ ok: false })
    for (const more of [{ address: '198.51.100.1' }, { device }, { device, address: '203.0.113.1' }])
      expect(await tryIn({ ...right, ...more })).toMatchObject({ ok: true })
  })

  test('from everywhere is slowed down as one, and the person’s own device still passes', async () => {
    const device = await deviceOf((await person()).id)
    await tries(40, (index) => ({ address: `10.0.${index}.1` }))
    const elsewhere = { ...right, address: '198.51.100.1' }
    expect(await tryIn(elsewhere)).toMatchObject(tooMany)
    expect(await tryIn({ ...right, device })).toMatchObject({ ok: true })
    expect(await tryIn(elsewhere)).toMatchObject({ ok: true })
  })

  test('within one IPv6 network is one, however many addresses it has', async () => {
    await person()
    await tries(5, (index) => ({ address: `2001:db8:1:2::${index}` }))
    expect(await tryIn({ ...right, address: '2001:db8:1:2:ffff::1' })).toMatchObject(tooMany)
  })

  test('on a known device of another person is a stranger, and a stolen device guesses no faster', async () => {
    const { id } = await person()
    const bos = await deviceOf((await person({ email: 'bo@x.test' })).id)
    await tries(5, () => ({ device: bos }))
    expect(await tryIn({ ...right, device: bos })).toMatchObject(tooMany)
    const evas = await deviceOf(id)
    await tries(10, () => ({ device: evas }))
    expect(await tryIn({ ...right, device: evas })).toMatchObject(tooMany)
  })

  test('is in the log: each failure, and once for each wait that it was throttled', async () => {
    const { id } = await person()
    await tries(9)
    pass(30_000)
    await tries(3)
    const failed = Array<string>(5).fill('sign-in-failed')
    expect(await actions()).toEqual([...failed, 'sign-in-throttled', 'sign-in-failed', 'sign-in-throttled'])
    expect(new Set((await logLines()).map(([, userId]) => userId))).toEqual(new Set([id]))
  })

  test('with many connections at once gets four places, and leaves the others to others', async () => {
    const device = await deviceOf((await person()).id)
    const flood = Array.from({ length: 40 }, () => tryIn(wrong))
    const elsewhere = tryIn(attempt('nobody@x.test', 'wrong', { address: '198.51.100.1' }))
    const known = tryIn({ ...right, device })
    const outcomes = await Promise.allSettled(flood)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
    expect(outcomes.at(-1)).toMatchObject({ reason: { name: 'NotReadyError', retryAfterSeconds: 2 } })
    expect(await elsewhere).toEqual(refused)
    expect(await known).toMatchObject({ ok: true })
  })
})

describe('with a second factor', () => {
  const personWithApp = async () => {
    const { id: userId } = await person()
    const app = await withApp((await begin(userId)).viewer)
    await db().delete(activityTable)
    return { userId, ...app }
  }
  const needed = { ok: false, reason: 'second-factor-needed' }

  test('it is asked for after the right password, and not after a wrong one', async () => {
    const { userId, code } = await personWithApp()
    expect(await tryIn(right)).toEqual(needed)
    expect(await tryIn({ ...wrong, code: code() })).toEqual(refused)
    expect(await tryIn({ ...right, code: '000000' })).toEqual(refused)
    expect(await tryIn({ ...right, code: code() })).toMatchObject({ ok: true, user: { id: userId } })
    expect(await tryIn({ ...right, code: code() }), 'the same once more').toEqual(refused)
    expect((await logLines()).slice(1)).toEqual([
      ['sign-in-failed', userId, 'second-factor'],
      ['sign-in', userId, 'password'],
      ['sign-in-failed', userId, 'second-factor'],
    ])
  })

  test('of a whole school behind one address nobody is stopped by the two steps of the others', async () => {
    const { code } = await personWithApp()
    for (let people = 0; people < 60; people += 1) {
      expect(await tryIn(right)).toEqual(needed)
      expect(await tryIn({ ...right, code: code() })).toMatchObject({ ok: true })
      pass(30_000)
    }
  })

  test('a recovery code does, once, and the log says so', async () => {
    const { recoveryCodes } = await personWithApp()
    const [code = ''] = recoveryCodes ?? []
    expect(await tryIn({ ...right, code })).toMatchObject({ ok: true })
    expect(await tryIn({ ...right, code })).toEqual(refused)
    expect(await actions()).toContain('recovery-code-used')
  })
})

describe('demo accounts', () => {
  const users = createUsers({ connect: parts.connect, now: clock, demo: true })

  test('do not keep the first administrator from being made, once', async () => {
    await ensureDemoUsers(users, [])
    const first = { email: 'Boss@x.test', password: PASSWORD }
    const isNobodyYet = createIsNobodyYet({ users: parts.users, env: { mode: 'connected', oidc: null } })
    expect(await isNobodyYet()).toBe(true)
    expect(await createIsNobodyYet({ users: parts.users, env: { mode: 'demo', oidc: null } })()).toBe(false)
    expect(await ensureBootstrapAdmin(parts, null)).toBe(false)
    const common = ensureBootstrapAdmin(parts, { ...first, password: 'password1234' })
    await expect(common).rejects.toThrow(/BOOTSTRAP_ADMIN_PASSWORD is one that many people use/)
    expect(await ensureBootstrapAdmin(parts, first)).toBe(true)
    expect(await isNobodyYet()).toBe(false)
    expect(await ensureBootstrapAdmin(parts, { ...first, email: 'other@x.test' })).toBe(false)
    const real = await db().select().from(usersTable).where(eq(usersTable.demo, false))
    expect(real).toMatchObject([{ email: 'boss@x.test', role: 'admin', schools: 'all', demo: false }])
  })
})
