import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { NotReadyError, TooManyTriesError } from '@/server/base/errors'
import { activity as activityTable, users as usersTable } from '@/server/base/schema'
import { testServices } from '@/server/testing/services'
import { ensureBootstrapAdmin, ensureDemoUsers, needsFirstUser } from './first-users'
import { signInWithPassword } from './sign-in'
import { makeCredentials, PASSWORD, signInWorld } from './testing/sign-in-world'
import { createUsers } from './users'

const { db, clock, advanceTime, parts, signIn, addUser, begin, addTotp, entries, actions } = signInWorld()
const right = makeCredentials('eva@x.test', PASSWORD)
const wrong = makeCredentials('eva@x.test', 'wrong')
const elsewhere = { ...right, address: '198.51.100.1' }
const refused = { ok: false, reason: 'refused' }
const accepted = { ok: true, user: { email: 'eva@x.test' } }
const guess = async (times: number, addressOf: (index: number) => string = () => wrong.address) => {
  for (let index = 0; index < times; index += 1)
    await signIn({ ...wrong, address: addressOf(index) }).catch((error: unknown) => {
      if (!(error instanceof TooManyTriesError)) throw error
    })
}

describe('with a password', () => {
  test('the right one lets in; all others are refused alike, and the log has ids alone', async () => {
    const { id } = await addUser()
    await addUser({ email: 'invited@x.test', passwordHash: null })
    expect(await signIn(makeCredentials('EVA@x.test', PASSWORD))).toMatchObject({ ok: true, user: { id } })
    for (const each of [wrong, makeCredentials('nobody@x.test', 'wrong'), makeCredentials('invited@x.test', '')])
      expect(await signIn(each)).toEqual(refused)
    await parts.users.change(db(), id, { disabled: true })
    expect(await signIn(right)).toEqual(refused)
    const by = { with: 'password' }
    const failed = [id, null].map((userId) => ['sign-in-failed', userId, by])
    expect((await entries()).slice(0, 3)).toEqual([['sign-in', id, by], ...failed])
    expect(JSON.stringify(await db().select().from(activityTable))).not.toContain('@')
  })

  test('after five wrong ones even the right one waits half a minute; each failure is logged, and each wait once', async () => {
    await addUser()
    await guess(9)
    await expect(signIn(right)).rejects.toMatchObject({ name: 'TooManyTriesError', retryAfterSeconds: 30 })
    advanceTime(30_000)
    await guess(3)
    const failed = Array<string>(5).fill('sign-in-failed')
    expect(await actions()).toEqual([...failed, 'sign-in-throttled', 'sign-in-failed', 'sign-in-throttled'])
    advanceTime(60_000)
    expect(await signIn(right)).toMatchObject(accepted)
    expect(await signIn(wrong)).toEqual(refused)
  })

  test.each([
    ['an administrator', 'admin', false, false],
    ['an administrator whom the command line named', 'admin', true, true],
    ['a user whom the command line named', 'staff', true, false],
  ] as const)('where passwords are switched off, %s comes in by one: %s', async (_, role, breakGlass, expected) => {
    await addUser({ role, breakGlass })
    const closed = testServices({ ...parts, env: { hasPasswordSignIn: false, oidc: null } })
    expect((await signInWithPassword(closed, right)).ok).toBe(expected)
  })
})

describe('another person who guesses', () => {
  test('in one network, however many addresses it has, locks the user out in no other', async () => {
    await addUser()
    await guess(60, (index) => `2001:db8:1:2::${index}`)
    await expect(signIn({ ...right, address: '2001:db8:1:2:ffff::1' })).rejects.toThrow(TooManyTriesError)
    expect(await signIn(elsewhere)).toMatchObject(accepted)
  })

  test('everywhere is slowed down as one, but not where the user has signed in before', async () => {
    await addUser()
    expect(await signIn(right)).toMatchObject(accepted)
    await guess(40, (index) => `10.0.${index}.1`)
    await expect(signIn(elsewhere)).rejects.toThrow(TooManyTriesError)
    expect(await signIn(right)).toMatchObject(accepted)
    expect(await signIn(elsewhere)).toMatchObject(accepted)
  })

  test('with many connections at once gets six places, and leaves the others to others', async () => {
    await addUser()
    const flood = Array.from({ length: 40 }, () => signIn(wrong))
    const other = signIn(makeCredentials('nobody@x.test', 'wrong', '198.51.100.1'))
    const reasons = (await Promise.allSettled(flood)).map((it) => (it.status === 'rejected' ? it.reason : null))
    expect(reasons.at(-1)).toMatchObject({ name: 'NotReadyError', retryAfterSeconds: 2 })
    expect(reasons.filter((reason) => !(reason instanceof NotReadyError))).toHaveLength(6)
    expect(await other).toEqual(refused)
  })
})

describe('with a second factor', () => {
  const personWithApp = async () => {
    const app = await addTotp((await begin((await addUser()).id)).viewer)
    await db().delete(activityTable)
    return app
  }
  const needed = { ok: false, reason: 'second-factor-needed' }

  test('it is asked for after the right password, and not after a wrong one', async () => {
    const { code, recoveryCodes } = await personWithApp()
    expect(await signIn(right)).toEqual(needed)
    expect(await signIn({ ...wrong, code: code() })).toEqual(refused)
    expect(await signIn({ ...right, code: '000000' })).toEqual(refused)
    expect(await signIn({ ...right, code: code() })).toMatchObject(accepted)
    expect(await signIn({ ...right, code: recoveryCodes?.[0] ?? '' })).toMatchObject(accepted)
    const failures = ['sign-in-failed', 'sign-in-failed']
    expect(await actions()).toEqual([...failures, 'sign-in', 'recovery-code-used', 'sign-in'])
    expect((await entries()).map(([, , details]) => details?.with).slice(0, 2)).toEqual(['password', 'second-factor'])
  })

  test('the two steps of each sign-in add up to no wait', async () => {
    const { code } = await personWithApp()
    for (let times = 0; times < 4; times += 1) {
      expect(await signIn(right)).toEqual(needed)
      expect(await signIn({ ...right, code: code() })).toMatchObject(accepted)
      advanceTime(30_000)
    }
  })
})

test('accounts of the demo do not keep the first administrator from being made, once', async () => {
  await ensureDemoUsers(createUsers({ connect: parts.connect, now: clock, isDemo: true }), [])
  const first = { email: 'Boss@x.test', password: PASSWORD }
  const ensure = (bootstrapAdmin: typeof first | null) =>
    ensureBootstrapAdmin(testServices({ ...parts, env: { ...parts.env, bootstrapAdmin } }))
  expect(await needsFirstUser(parts)).toBe(true)
  expect(await ensure(null)).toBe(false)
  const common = ensure({ ...first, password: 'password1234' })
  await expect(common).rejects.toThrow(/BOOTSTRAP_ADMIN_PASSWORD/)
  expect(await ensure(first)).toBe(true)
  expect(await needsFirstUser(parts)).toBe(false)
  expect(await ensure({ ...first, email: 'other@x.test' })).toBe(false)
  const real = await db().select().from(usersTable).where(eq(usersTable.demo, false))
  expect(real).toMatchObject([{ email: 'boss@x.test', role: 'admin', schools: 'all' }])
})
