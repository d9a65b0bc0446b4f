import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '@/lib/time/durations'
import { ConflictError, ReauthenticationError, WrongProofError } from '@/server/base/errors'
import { testServices } from '@/server/testing/services'
import { changeOwnPassword, hasOwnPassword } from './own-password'
import {
  beginTotp,
  confirmTotp,
  listOwnFactors,
  removeUserFactors,
  removeOwnFactor,
  renewRecoveryCodes,
} from './second-factors'
import type { Session } from './session-cookie'
import { changeSignInRules, isFactorRequired } from './sign-in-rules'
import { proveIdentity, requireRecentProof } from './step-up'
import { PASSWORD, signInWorld } from './testing/sign-in-world'
import { requirePermission, type Viewer } from './viewer'

const { advanceTime, parts, announced, addUser, begin, findViewer, addTotp, actions } = signInWorld({ demo: true })
const withAuthTime = testServices({ ...parts, providerDiscovery: { sendsAuthTime: () => true } })

const signedIn = async (method: 'password' | 'oidc' = 'password') => {
  const { id } = await addUser({ role: 'admin', ...(method === 'oidc' && { passwordHash: null }) })
  return begin(id, method)
}
/** An account of the demo, in which nobody asks for anything. */
const signedInToDemo = async () => {
  const { passwordHash } = await addUser({ email: 'for-the-hash@x.test' })
  await parts.users.ensureDemoUser({ email: 'demo@x.test', name: 'D', role: 'admin', schools: 'all', passwordHash })
  return begin((await parts.users.findByEmail('demo@x.test'))?.id ?? '')
}
type Given = Parameters<typeof proveIdentity>[2]
const prove = (viewer: Viewer, session: Session, given: Given, by = parts) =>
  proveIdentity(by, viewer, given, { session })

describe('re-authentication', () => {
  test('is asked for ten minutes after signing in, and not again for ten minutes after a proof', async () => {
    const { viewer, session } = await signedIn()
    advanceTime(10 * MINUTE_MS)
    await requireRecentProof(parts, session)
    advanceTime(1)
    await expect(requireRecentProof(parts, session)).rejects.toMatchObject({ reason: 'proof-by-password' })
    await prove(viewer, session, { password: PASSWORD })
    advanceTime(10 * MINUTE_MS)
    await requireRecentProof(parts, session)
    expect(announced, 'so that no instance takes the old time for it').toEqual([viewer.id])
    expect(await actions()).toEqual(['proof-given'])
  })

  test('is not asked for in the demo, nor for a session by a provider without auth_time', async () => {
    const { viewer, session } = await signedIn('oidc')
    const { session: byPassword } = await begin(viewer.id)
    advanceTime(11 * MINUTE_MS)
    for (const providerDiscovery of [null, { sendsAuthTime: () => false }])
      await requireRecentProof(testServices({ ...parts, providerDiscovery }), session)
    await expect(requireRecentProof(withAuthTime, session)).rejects.toMatchObject({ reason: 'proof-by-provider' })
    await requireRecentProof(testServices({ ...parts, env: { mode: 'demo' } }), byPassword)
  })

  test('of a session by the provider is at the provider: no password or app of the user here suffices', async () => {
    const { viewer, session } = await signedIn()
    const { code, recoveryCodes } = await addTotp(viewer)
    const { session: byProvider } = await begin(viewer.id, 'oidc')
    advanceTime(11 * MINUTE_MS)
    for (const given of [{ code: code() }, { code: recoveryCodes?.[0] ?? '' }, { password: PASSWORD }])
      await expect(prove(viewer, byProvider, given)).rejects.toThrow(ConflictError)
    await prove(viewer, session, { code: code() })
    await requireRecentProof(withAuthTime, session)
    await expect(requireRecentProof(withAuthTime, byProvider), 'another session of theirs').rejects.toThrow(
      ReauthenticationError,
    )
  })

  test('by a password that may not sign in is refused', async () => {
    const { viewer, session } = await signedIn()
    const off = testServices({ ...parts, env: { ...parts.env, hasPasswordSignIn: false } })
    await expect(prove(viewer, session, { password: PASSWORD }, off)).rejects.toThrow(WrongProofError)
  })

  test('needs the second factor where there is one, and the password is not enough then', async () => {
    const { viewer, session } = await signedIn()
    const { code, recoveryCodes } = await addTotp(viewer)
    advanceTime(11 * MINUTE_MS)
    await expect(requireRecentProof(parts, session)).rejects.toMatchObject({ reason: 'proof-by-code' })
    await expect(prove(viewer, session, { password: PASSWORD })).rejects.toThrow(WrongProofError)
    await prove(viewer, session, { code: code() })
    await prove(viewer, session, { code: recoveryCodes?.[0] ?? '' })
    const given = ['proof-given', 'proof-given', 'recovery-code-used']
    expect(await actions()).toEqual(['second-factor-added', 'proof-failed', ...given])
  })
})

test('an own password is changed; other sessions end, this one goes on', async () => {
  const { viewer, session } = await signedIn()
  const { session: other } = await begin(viewer.id)
  await changeOwnPassword(parts, viewer, { current: PASSWORD, password: 'another horse battery' }, { session })
  expect([await parts.viewers.find(other), (await findViewer(session)).id]).toEqual([null, viewer.id])
  await changeOwnPassword(parts, viewer, { current: 'another horse battery', password: PASSWORD }, { session })
  expect(await actions()).toEqual(['password-changed', 'password-changed'])
})

test('users of a provider or of the demo have no own password, and so no second factor', async () => {
  for (const { viewer, session } of [await signedIn('oidc'), await signedInToDemo()]) {
    expect(await hasOwnPassword(parts, viewer)).toBe(false)
    const passwords = { current: PASSWORD, password: 'another horse battery' }
    await expect(changeOwnPassword(parts, viewer, passwords, { session })).rejects.toThrow(ConflictError)
    await expect(beginTotp(parts, viewer, { name: 'Telefonen' })).rejects.toThrow(ConflictError)
    await expect(confirmTotp(parts, viewer, { id: 'x', code: '000000' })).rejects.toThrow(ConflictError)
  }
})

describe('a second factor', () => {
  test('comes with ten recovery codes when it is the first, and every change is logged', async () => {
    const { viewer } = await signedIn()
    const first = await addTotp(viewer)
    const second = await addTotp(viewer)
    expect([first.recoveryCodes?.length, second.recoveryCodes]).toEqual([10, null])
    expect((await listOwnFactors(parts, viewer)).factors).toMatchObject([{ id: first.id }, { id: second.id }])
    await renewRecoveryCodes(parts, viewer)
    await removeOwnFactor(parts, viewer, { id: first.id })
    await removeUserFactors(parts, requirePermission(viewer, 'admin'), { id: viewer.id })
    await expect(renewRecoveryCodes(parts, viewer)).rejects.toThrow(ConflictError)
    const [added, removed] = ['second-factor-added', 'second-factor-removed']
    expect(await actions()).toEqual([added, added, 'recovery-codes-made', removed, removed])
  })

  test('that the role requires keeps every permission until it is added', async () => {
    const { viewer: admin } = await signedIn()
    await changeSignInRules(parts, admin, { secondFactorFor: ['staff'] })
    const { id: userId } = await addUser({ email: 'ola@x.test' })
    const { viewer, session } = await begin(userId)
    expect(viewer).toMatchObject({ mustEnrol: true, permissions: new Set() })
    expect((await begin(admin.id)).viewer.mustEnrol, 'another role').toBe(false)
    expect((await begin(userId, 'oidc')).viewer.mustEnrol, 'by a provider').toBe(false)
    await beginTotp(parts, viewer, { name: 'Telefonen' })
    expect((await findViewer(session)).mustEnrol, 'not confirmed').toBe(true)
    await addTotp(viewer)
    expect(await findViewer(session)).toMatchObject({ mustEnrol: false, schools: 'all' })
    expect(announced).toContain(userId)
    expect(isFactorRequired({ secondFactorFor: ['owner'] }, 'staff'), 'by unreadable rules').toBe(true)
    await changeSignInRules(parts, admin, { secondFactorFor: ['admin'] })
    expect((await signedInToDemo()).viewer.mustEnrol, 'of the demo').toBe(false)
  })
})
