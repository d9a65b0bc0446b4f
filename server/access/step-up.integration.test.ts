import { describe, expect, test } from 'vitest'
import { ConflictError, InvalidInputError, ReauthenticationError, WrongProofError } from '@/server/base/errors'
import { changeOwnPassword, hasOwnPassword } from './passwords'
import {
  beginTotp,
  confirmTotp,
  listOwnFactors,
  removeFactorsOf,
  removeOwnFactor,
  renewRecoveryCodes,
} from './second-factors'
import { matchesPassword } from './passwords'
import type { Session } from './session-cookie'
import { changeSignInRules } from './sign-in-rules'
import { giveProof, requireProof } from './step-up'
import { testServices } from '@/server/testing/services'
import { PASSWORD, signInWorld } from './testing/sign-in-world'
import { allow } from './viewer'

const MINUTE_MS = 60_000
const NEW = 'another horse battery'
const { pass, parts, announced, person, begin, viewerOf, withApp, actions } = signInWorld({ demo: true })

const by = (session: Session) => ({ session })
const signedIn = async (method: 'password' | 'oidc' = 'password') => {
  const { id } = await person({ role: 'admin', ...(method === 'oidc' && { passwordHash: null }) })
  return begin(id, method)
}
/** An account of the demo, in which nobody asks for anything. */
const shared = async () => {
  const { passwordHash } = await person({ email: 'for-the-hash@x.test' })
  await parts.users.restoreDemo({ email: 'demo@x.test', name: 'D', role: 'admin', schools: 'all', passwordHash })
  return begin((await parts.users.findByEmail('demo@x.test'))?.id ?? '')
}

describe('before something weighty', () => {
  test('ten minutes after signing in the person is asked, and not again for ten minutes after an answer', async () => {
    const { viewer, session } = await signedIn()
    pass(10 * MINUTE_MS)
    await requireProof(parts, session)
    pass(1)
    await expect(requireProof(parts, session)).rejects.toThrow(ReauthenticationError)
    await giveProof(parts, viewer, { password: PASSWORD }, by(session))
    pass(10 * MINUTE_MS)
    await requireProof(parts, session)
    expect(announced, 'so that no instance takes the old time for it').toEqual([viewer.id])
    expect(await actions()).toEqual(['proof-given'])
  })

  test('nobody is asked in the demo, nor for a session by a provider without auth_time', async () => {
    const { session } = await signedIn('oidc')
    pass(11 * MINUTE_MS)
    for (const providerCheck of [null, { canProve: () => false }])
      await expect(requireProof(testServices({ ...parts, providerCheck }), session)).resolves.toBeUndefined()
    const asked = requireProof(testServices({ ...parts, providerCheck: { canProve: () => true } }), session)
    await expect(asked).rejects.toMatchObject({ reason: 'proof-by-provider' })
    const { session: local } = await begin((await person({ email: 'local@x.test' })).id)
    pass(11 * MINUTE_MS)
    await expect(requireProof(testServices({ ...parts, env: { mode: 'demo' } }), local)).resolves.toBeUndefined()
  })

  test('who came by the provider proves it there: no password or app of theirs here does', async () => {
    const { viewer, session } = await signedIn()
    const { code, recoveryCodes: spare } = await withApp(viewer)
    const { session: byProvider } = await begin(viewer.id, 'oidc')
    pass(11 * MINUTE_MS)
    const asking = testServices({ ...parts, providerCheck: { canProve: () => true } })
    for (const given of [{ code: code() }, { code: spare?.[0] ?? '' }, { password: PASSWORD }])
      await expect(giveProof(parts, viewer, given, by(byProvider))).rejects.toThrow(ConflictError)
    await expect(requireProof(asking, byProvider)).rejects.toThrow(ReauthenticationError)
    await giveProof(parts, viewer, { code: code() }, by(session))
    await requireProof(asking, session)
    await expect(requireProof(asking, byProvider), 'another session of theirs').rejects.toThrow(ReauthenticationError)
  })

  test('a password that may not sign in proves nothing', async () => {
    const { viewer, session } = await signedIn()
    const off = testServices({ ...parts, env: { ...parts.env, passwordSignIn: false } })
    await expect(giveProof(off, viewer, { password: PASSWORD }, by(session))).rejects.toThrow(WrongProofError)
    await giveProof(parts, viewer, { password: PASSWORD }, by(session))
  })

  test('a second factor is asked for where there is one, and the password is not enough then', async () => {
    const { viewer, session } = await signedIn()
    pass(11 * MINUTE_MS)
    await expect(requireProof(parts, session)).rejects.toMatchObject({ reason: 'proof-by-password' })
    const { code } = await withApp(viewer)
    await expect(requireProof(parts, session)).rejects.toMatchObject({ reason: 'proof-by-code' })
    const wrong = giveProof(parts, viewer, { password: PASSWORD }, by(session))
    await expect(wrong).rejects.toThrow(WrongProofError)
    await giveProof(parts, viewer, { code: code() }, by(session))
    expect(await actions()).toEqual(['second-factor-added', 'proof-failed', 'proof-given'])
  })
})

describe('one’s own password', () => {
  test('is changed with the current one; other sessions end, this one goes on', async () => {
    const { viewer, session } = await signedIn()
    const { session: other } = await begin(viewer.id)
    await changeOwnPassword(parts, viewer, { current: PASSWORD, password: NEW }, by(session))
    expect([await parts.viewers.find(other), (await viewerOf(session)).id]).toEqual([null, viewer.id])
    const { passwordHash: hash = null } = (await parts.users.find(viewer.id)) ?? {}
    expect(await matchesPassword(hash, NEW)).toBe(true)
    expect([await actions(), announced]).toEqual([['password-changed'], [viewer.id]])
  })

  test('stays with a wrong current one, and with a new one that is none', async () => {
    const { viewer, session } = await signedIn()
    const before = await parts.users.find(viewer.id)
    const change = (current: string, password: string) =>
      changeOwnPassword(parts, viewer, { current, password }, by(session))
    await expect(change(PASSWORD, 'elevenchars')).rejects.toMatchObject({ reason: 'too-short' })
    await expect(change(PASSWORD, 'Password1234')).rejects.toThrow(InvalidInputError)
    await expect(change('wrong', NEW)).rejects.toThrow(WrongProofError)
    expect((await parts.users.find(viewer.id))?.passwordHash).toBe(before?.passwordHash)
  })

  test('is nothing that people of a provider or of the demo have, and so neither is a second factor', async () => {
    for (const each of [await signedIn('oidc'), await shared()]) {
      expect(await hasOwnPassword(parts, each.viewer)).toBe(false)
      const change = { current: PASSWORD, password: NEW }
      await expect(changeOwnPassword(parts, each.viewer, change, by(each.session))).rejects.toThrow(ConflictError)
      await expect(beginTotp(parts, each.viewer, { name: 'Telefonen' })).rejects.toThrow(ConflictError)
      await expect(confirmTotp(parts, each.viewer, { id: 'x', code: '000000' })).rejects.toThrow(ConflictError)
    }
  })
})

describe('a second factor', () => {
  test('comes with ten recovery codes when it is the first, and every change is logged', async () => {
    const { viewer } = await signedIn()
    const first = await withApp(viewer)
    const second = await withApp(viewer)
    expect([first.recoveryCodes?.length, second.recoveryCodes]).toEqual([10, null])
    expect(await listOwnFactors(parts, viewer)).toMatchObject({
      factors: [{ id: first.id }, { id: second.id }],
      recoveryCodesLeft: 10,
    })
    expect((await renewRecoveryCodes(parts, viewer)).recoveryCodes).not.toContain(first.recoveryCodes?.[0])
    await removeOwnFactor(parts, viewer, { id: first.id })
    await removeFactorsOf(parts, allow(viewer, 'admin'), { id: viewer.id })
    await expect(renewRecoveryCodes(parts, viewer)).rejects.toThrow(ConflictError)
    expect(await actions()).toEqual([
      'second-factor-added',
      'second-factor-added',
      'recovery-codes-made',
      'second-factor-removed',
      'second-factor-removed',
    ])
  })

  test('that the role asks for lets nobody further before it is there, and everybody after', async () => {
    const { viewer: admin } = await signedIn()
    await changeSignInRules(parts, admin, { secondFactorFor: ['staff'] })
    const { id: userId } = await person({ email: 'ola@x.test' })
    const { viewer, session } = await begin(userId)
    expect(viewer).toMatchObject({ mustEnrol: true, permissions: new Set() })
    expect((await begin(admin.id)).viewer.mustEnrol, 'another role').toBe(false)
    expect((await begin(userId, 'oidc')).viewer.mustEnrol, 'by a provider').toBe(false)
    await beginTotp(parts, viewer, { name: 'Telefonen' })
    expect((await viewerOf(session)).mustEnrol, 'not confirmed').toBe(true)
    await withApp(viewer)
    expect(await viewerOf(session)).toMatchObject({ mustEnrol: false, schools: 'all' })
    expect(announced).toContain(userId)
  })

  test('is asked of no account of the demo', async () => {
    const { viewer: admin } = await signedIn()
    await changeSignInRules(parts, admin, { secondFactorFor: ['staff', 'manager', 'admin'] })
    expect((await shared()).viewer.mustEnrol).toBe(false)
  })
})
