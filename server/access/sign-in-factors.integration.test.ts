import { Secret, TOTP } from 'otpauth'
import { beforeEach, describe, expect, test } from 'vitest'
import { hashPassword } from './password'
import { createSignIn } from './sign-in'
import { attempt, signInWorld } from './testing/sign-in-world'
import { softAuthenticator } from './testing/soft-authenticator'

const { db, clock, pass, passkeys, partsFor, logged } = signInWorld()

describe('with a second factor', () => {
  let parts = partsFor('connected')
  let signIn = createSignIn(parts)
  // A throttle remembers its locks, whatever the table holds.
  beforeEach(() => {
    parts = partsFor('connected')
    signIn = createSignIn(parts)
  })
  const create = async (email: string) =>
    parts.users.create(db(), {
      email,
      name: 'Eva',
      role: 'staff',
      schools: 'all',
      passwordHash: await hashPassword('correct horse'),
    })
  const withApp = async (email = 'eva@x.test') => {
    const { id: userId } = await create(email)
    const { id, secret } = await parts.secondFactors.beginTotp(db(), userId, 'Telefonen')
    const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock() })
    await parts.secondFactors.confirmTotp(db(), userId, { id, code: code() })
    pass(30_000)
    return { userId, code }
  }
  const right = attempt('eva@x.test', 'correct horse')
  const needed = { ok: false, reason: 'second-factor-needed' }
  const refused = { ok: false, reason: 'refused' }

  test('the right password alone is told to bring it, a wrong one is told nothing', async () => {
    const { userId, code } = await withApp()
    expect(await signIn.withPassword(right)).toEqual(needed)
    expect(await signIn.withPassword({ ...right, password: 'wrong', code: code() })).toEqual(refused)
    expect(await signIn.withPassword({ ...right, code: '000000' })).toEqual(refused)
    expect(await signIn.withPassword({ ...right, code: code() })).toMatchObject({ ok: true, user: { id: userId } })
    expect(await signIn.withPassword({ ...right, code: code() }), 'the same once more').toEqual(refused)
    const [, byCode, ...rest] = await logged()
    expect([byCode, rest]).toEqual([
      ['sign-in-failed', userId, 'second-factor'],
      [
        ['sign-in', userId, 'password'],
        ['sign-in-failed', userId, 'second-factor'],
      ],
    ])
  })

  test('whoever has the password cannot try codes for ever, not even by sending the password alone between', async () => {
    await withApp()
    const outcomes = []
    for (let tries = 0; tries < 4; tries += 1) {
      outcomes.push((await signIn.withPassword({ ...right, code: `00000${tries}` })).ok)
      outcomes.push(await signIn.withPassword(right))
    }
    expect(outcomes.at(-1)).toMatchObject({ reason: 'too-many-attempts' })
  })

  test('of a whole school behind one address nobody is stopped by the two steps of the others', async () => {
    const { code } = await withApp()
    for (let people = 0; people < 60; people += 1) {
      expect(await signIn.withPassword(right)).toEqual(needed)
      expect(await signIn.withPassword({ ...right, code: code() })).toMatchObject({ ok: true })
      pass(30_000)
    }
  })

  test('a recovery code does, once, and the log says so', async () => {
    const { userId } = await withApp()
    const [code = ''] = await parts.secondFactors.makeRecoveryCodes(db(), userId)
    expect(await signIn.withPassword({ ...right, code })).toMatchObject({ ok: true })
    expect(await signIn.withPassword({ ...right, code })).toEqual(refused)
    expect((await logged()).map(([action]) => action)).toContain('recovery-code-used')
  })

  test('a passkey does beside the password, and by itself; of a disabled person it opens nothing', async () => {
    const { id } = await create('eva@x.test')
    const device = softAuthenticator()
    const challenge = () => ({ value: 'Y2hhbGxlbmdl', madeAt: clock() })
    const registered = { response: device.register({ challenge: 'Y2hhbGxlbmdl' }), challenge: challenge(), name: 'K' }
    await passkeys.add(db(), id, registered)
    const signed = () => {
      pass(1_000)
      return { response: device.sign({ challenge: 'Y2hhbGxlbmdl' }), challenge: challenge() }
    }
    expect(await signIn.withPassword(right)).toEqual(needed)
    expect(await signIn.withPassword({ ...right, assertion: signed() })).toMatchObject({ ok: true })
    expect(await signIn.withPasskey(signed(), '192.0.2.7')).toMatchObject({ ok: true, user: { id } })
    const foreign = { response: softAuthenticator().sign({ challenge: 'Y2hhbGxlbmdl' }), challenge: challenge() }
    expect(await signIn.withPasskey(foreign, '192.0.2.7')).toEqual(refused)
    await parts.users.change(db(), id, { disabled: true })
    expect(await signIn.withPasskey(signed(), '192.0.2.7')).toEqual(refused)
    expect((await logged()).slice(-3)).toEqual([
      ['sign-in', id, 'passkey'],
      ['sign-in-failed', null, 'passkey'],
      ['sign-in-failed', id, 'passkey'],
    ])
  })
})

test('where passwords are switched off only administrators whom the command line named come in by one', async () => {
  const parts = partsFor('connected')
  const signIn = createSignIn({ ...parts, env: { passwordSignIn: false, oidc: null } })
  const passwordHash = await hashPassword('correct horse')
  const outcomes = []
  for (const [email, role, breakGlass] of [
    ['admin@x.test', 'admin', false],
    ['glass@x.test', 'admin', true],
    ['staff@x.test', 'staff', true],
  ] as const) {
    await parts.users.create(db(), { email, name: 'N', role, schools: 'all', passwordHash, breakGlass })
    outcomes.push((await signIn.withPassword(attempt(email, 'correct horse'))).ok)
  }
  expect(outcomes).toEqual([false, true, false])
  expect((await logged())[0]?.[0]).toBe('sign-in-failed')
})
