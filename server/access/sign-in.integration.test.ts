import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { activity as activityTable, users as usersTable } from '@/server/base/schema'
import { ensureBootstrapAdmin, ensureDemoUsers, isNobodyYet } from './first-users'
import { NotReadyError, TooManyTriesError } from '@/server/base/errors'
import { testServices } from '@/server/testing/services'
import { enterRequest } from '@/server/base/request-context'
import { acceptInvitation } from './invitations'
import { createUsers } from './users'
import type { CredentialsConfig } from 'next-auth/providers/credentials'
import { passwordProvider, signInWithPassword } from './sign-in'
import { attempt, linkToken, PASSWORD, signInWorld } from './testing/sign-in-world'

const { db, clock, pass, parts, signIn, person, begin, withApp, logLines, actions } = signInWorld()
const right = attempt('eva@x.test', PASSWORD)
const wrong = attempt('eva@x.test', 'wrong')
const elsewhere = { ...right, address: '198.51.100.1' }
const refused = { ok: false, reason: 'refused' }
const tries = async (times: number, addressOf: (index: number) => string = () => wrong.address) => {
  for (let index = 0; index < times; index += 1)
    await signIn({ ...wrong, address: addressOf(index) }).catch((error: unknown) => {
      if (!(error instanceof TooManyTriesError)) throw error
    })
}

describe('with a password', () => {
  test('the right one lets in, and the log says who by id', async () => {
    const { id } = await person()
    expect(await signIn(attempt('EVA@x.test', PASSWORD))).toMatchObject({ ok: true, user: { id } })
    expect(await logLines()).toEqual([['sign-in', id, 'password']])
  })

  test('a wrong one, an unknown e-mail, an invited and a disabled person are refused alike', async () => {
    const { id } = await person()
    await person({ email: 'invited@x.test', passwordHash: null })
    for (const each of [wrong, attempt('nobody@x.test', 'wrong'), attempt('invited@x.test', '')])
      expect(await signIn(each)).toEqual(refused)
    await parts.users.change(db(), id, { disabled: true })
    expect(await signIn(right)).toEqual(refused)
    expect(JSON.stringify(await db().select().from(activityTable))).not.toContain('@')
    expect((await logLines())[1]).toEqual(['sign-in-failed', null, 'password'])
  })

  test('after five wrong ones even the right one waits half a minute, and then works', async () => {
    await person()
    await tries(5)
    await expect(signIn(right)).rejects.toMatchObject({ name: 'TooManyTriesError', retryAfterSeconds: 30 })
    pass(30_000)
    expect(await signIn(right)).toMatchObject({ ok: true })
    expect(await signIn(wrong)).toEqual(refused)
  })

  test('a password that was set by a link ends the wait there', async () => {
    const { id } = await person()
    await tries(9)
    const given = { token: await linkToken(parts, id), password: 'another horse battery' }
    enterRequest({ id: 'r', address: right.address, isOver: false })
    await acceptInvitation(parts, null, given)
    expect(await signIn({ ...right, password: given.password })).toMatchObject({ ok: true })
  })

  test('where passwords are switched off only administrators whom the command line named come in by one', async () => {
    const closed = testServices({ ...parts, env: { passwordSignIn: false, oidc: null } })
    const outcomes = []
    for (const [email, role, breakGlass] of [
      ['admin@x.test', 'admin', false],
      ['glass@x.test', 'admin', true],
      ['staff@x.test', 'staff', true],
    ] as const) {
      await person({ email, role, breakGlass })
      outcomes.push((await signInWithPassword(closed, attempt(email, PASSWORD))).ok)
    }
    expect(outcomes).toEqual([false, true, false])
    expect((await actions())[0]).toBe('sign-in-failed')
  })
})

describe('another person who guesses', () => {
  test('in one network locks the user out in no other', async () => {
    await person()
    await tries(60)
    await expect(signIn(right)).rejects.toThrow(TooManyTriesError)
    expect(await signIn(elsewhere)).toMatchObject({ ok: true })
  })

  test('everywhere is slowed down as one, but not where the user has signed in before', async () => {
    await person()
    expect(await signIn(right)).toMatchObject({ ok: true })
    await tries(40, (index) => `10.0.${index}.1`)
    await expect(signIn(elsewhere)).rejects.toThrow(TooManyTriesError)
    expect(await signIn(right)).toMatchObject({ ok: true })
    expect(await signIn(elsewhere)).toMatchObject({ ok: true })
  })

  test('within one IPv6 network is one, however many addresses it has', async () => {
    await person()
    await tries(5, (index) => `2001:db8:1:2::${index}`)
    await expect(signIn({ ...right, address: '2001:db8:1:2:ffff::1' })).rejects.toThrow(TooManyTriesError)
  })

  test('is in the log: each failure, and each wait once', async () => {
    const { id } = await person()
    await tries(9)
    pass(30_000)
    await tries(3)
    const failed = Array<string>(5).fill('sign-in-failed')
    expect(await actions()).toEqual([...failed, 'sign-in-throttled', 'sign-in-failed', 'sign-in-throttled'])
    expect(new Set((await logLines()).map(([, userId]) => userId))).toEqual(new Set([id]))
  })

  test('with many connections at once gets six places, and leaves the others to others', async () => {
    await person()
    const flood = Array.from({ length: 40 }, () => signIn(wrong))
    const other = signIn(attempt('nobody@x.test', 'wrong', '198.51.100.1'))
    const outcomes = await Promise.allSettled(flood)
    expect(outcomes.at(-1)).toMatchObject({ reason: { name: 'NotReadyError', retryAfterSeconds: 2 } })
    const isBusy = (outcome: PromiseSettledResult<unknown>) =>
      outcome.status === 'rejected' && outcome.reason instanceof NotReadyError
    expect(outcomes.filter((outcome) => !isBusy(outcome))).toHaveLength(6)
    expect(await other).toEqual(refused)
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
    expect(await signIn(right)).toEqual(needed)
    expect(await signIn({ ...wrong, code: code() })).toEqual(refused)
    expect(await signIn({ ...right, code: '000000' })).toEqual(refused)
    expect(await signIn({ ...right, code: code() })).toMatchObject({ ok: true, user: { id: userId } })
    expect(await signIn({ ...right, code: code() }), 'the same once more').toEqual(refused)
    expect((await logLines()).slice(1)).toEqual([
      ['sign-in-failed', userId, 'second-factor'],
      ['sign-in', userId, 'password'],
      ['sign-in-failed', userId, 'second-factor'],
    ])
  })

  test('the two steps of each sign-in add up to no wait', async () => {
    const { code } = await personWithApp()
    for (let times = 0; times < 4; times += 1) {
      expect(await signIn(right)).toEqual(needed)
      expect(await signIn({ ...right, code: code() })).toMatchObject({ ok: true })
      pass(30_000)
    }
  })

  test('a recovery code does, once, and the log says so', async () => {
    const { recoveryCodes } = await personWithApp()
    const [code = ''] = recoveryCodes ?? []
    expect(await signIn({ ...right, code })).toMatchObject({ ok: true })
    expect(await signIn({ ...right, code })).toEqual(refused)
    expect(await actions()).toContain('recovery-code-used')
  })
})

describe('by next-auth', () => {
  const visit = () => ({ address: right.address, failure: null as unknown })
  const outcomes: string[] = []
  const counting = {
    ...parts,
    logger: { error: () => {} },
    counters: { signIn: (_: string, it: string) => outcomes.push(it) },
  }
  const authorize = (credentials: object, caller = visit(), more = {}) => {
    // next-auth merges what it was given over the provider's own, empty answer.
    const { options } = passwordProvider(testServices({ ...counting, ...more }), caller) as unknown as {
      options: CredentialsConfig
    }
    return options.authorize(credentials as Record<string, string>, {})
  }

  test('the right password names the user, and anything else nobody', async () => {
    const { id } = await person()
    expect(await authorize(right)).toEqual({ id })
    expect([await authorize(wrong), await authorize({ email: 'eva@x.test' })]).toEqual([null, null])
    await withApp((await begin(id)).viewer)
    await expect(authorize(right)).rejects.toThrow(/^SecondFactorNeeded$/)
    expect(outcomes.splice(0)).toEqual(['accepted', 'refused', 'second-factor-needed'])
  })

  test.each([
    ['too-many-attempts', new TooManyTriesError(30), true],
    ['busy', new NotReadyError('Too many requests at once', 2), true],
    ['failed', new Error('Failed', { cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) }), true],
    ['failed', new Error('params: eva@x.test'), false],
  ])('%s is no wrong password, and says nothing of what went wrong inside', async (outcome, failure, isTold) => {
    const caller = visit()
    const throttle = { hasSucceeded: () => Promise.reject(failure) }
    await expect(authorize(right, caller, { throttle })).rejects.toThrow(/^Unavailable$/)
    expect([caller.failure, outcomes.splice(0)]).toEqual([isTold ? failure : null, [outcome]])
  })
})

describe('demo accounts', () => {
  const users = createUsers({ connect: parts.connect, now: clock, demo: true })

  test('do not keep the first administrator from being made, once', async () => {
    await ensureDemoUsers(users, [])
    const first = { email: 'Boss@x.test', password: PASSWORD }
    const ensure = (bootstrapAdmin: typeof first | null) =>
      ensureBootstrapAdmin(testServices({ ...parts, env: { ...parts.env, bootstrapAdmin } }))
    expect(await isNobodyYet(parts)).toBe(true)
    expect(await isNobodyYet(testServices({ ...parts, env: { mode: 'demo', oidc: null } }))).toBe(false)
    expect(await ensure(null)).toBe(false)
    const common = ensure({ ...first, password: 'password1234' })
    await expect(common).rejects.toThrow(/BOOTSTRAP_ADMIN_PASSWORD is one that many people use/)
    expect(await ensure(first)).toBe(true)
    expect(await isNobodyYet(parts)).toBe(false)
    expect(await ensure({ ...first, email: 'other@x.test' })).toBe(false)
    const real = await db().select().from(usersTable).where(eq(usersTable.demo, false))
    expect(real).toMatchObject([{ email: 'boss@x.test', role: 'admin', schools: 'all', demo: false }])
  })
})
