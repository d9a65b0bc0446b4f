import { asc } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createActivity } from '@/server/activity/activity'
import { recoveryCodes, secondFactors as factorsTable } from '@/server/db/access-schema'
import type { OpenDatabase } from '@/server/db/database'
import {
  activity as activityTable,
  settings as settingsTable,
  signInAttempts,
  users as usersTable,
} from '@/server/db/schema'
import { openPgliteInMemory } from '@/server/db/testing/in-memory'
import { ConflictError, InvalidInputError, ProofNeededError, TooManyTriesError, WrongProofError } from '@/server/errors'
import { emptyListState } from '@/server/feed/list-state'
import type { HighSchoolList } from '@/server/feed/list-source'
import { createSeal } from '@/server/seal'
import { createSettings } from '@/server/settings/settings'
import { createUsers } from '@/server/users/users'
import {
  addPasskey,
  beginTotp,
  confirmTotp,
  listOwnFactors,
  removeFactorsOf,
  removeOwnFactor,
  renewRecoveryCodes,
} from './enrol-factors'
import { changeOwnPassword, hasOwnPassword } from './own-password'
import { challengeCookie } from './passkey-challenge'
import { createPasskeys } from './passkeys'
import { hashPassword } from './password'
import { matchesPassword } from './passwords'
import { createSecondFactors } from './second-factors'
import { createViewers } from './session'
import type { Session } from './session-cookie'
import { createSessions } from './sessions'
import { changeSignInRules } from './sign-in-rules'
import { giveProof, requireProof, requireProofForMany, waysToProve } from './step-up'
import { softAuthenticator } from './testing/soft-authenticator'
import { createThrottle } from './throttle'
import { allow, type Viewer } from './viewer'

const NOW = Date.UTC(2027, 0, 20, 8)
const MINUTE_MS = 60_000
const PASSWORD = 'correct horse battery'

let database: OpenDatabase
let passwordHash = ''
const time = { ms: NOW }
const now = () => time.ms
const connect = async () => database.db
const logger = { warn: () => {} }
const auth = { url: 'https://intag.test', secret: '' }
const env = { mode: 'connected', auth, passwordSignIn: true, oidc: null } as const
const seal = createSeal(new Uint8Array(32))
const passkeys = createPasskeys({ connect, now, seal, env })
const sessions = createSessions({ connect, now, logger, demo: true })
const told: string[] = []
const parts = {
  connect,
  now,
  feed: { highSchools: () => emptyListState<HighSchoolList>() },
  env,
  seal,
  passkeys,
  sessions,
  secondFactors: createSecondFactors({ connect, now, seal, passkeys }),
  users: createUsers({ connect, now, demo: true }),
  activity: createActivity({ connect, now }),
  throttle: createThrottle({ connect, now, hashKey: new Uint8Array(32) }),
  viewers: createViewers({ sessions, now, logger }),
  providerCheck: null as { canProve: () => boolean } | null,
  settings: createSettings({ connect, onUnreachable: () => {} }),
  announcer: { person: async (userId: string) => void told.push(userId) },
}

beforeAll(async () => {
  database = await openPgliteInMemory()
  passwordHash = await hashPassword(PASSWORD)
})
afterAll(() => database.close())
beforeEach(async () => {
  time.ms = NOW
  told.length = 0
  for (const table of [activityTable, signInAttempts, recoveryCodes, factorsTable, settingsTable, usersTable]) {
    await database.db.delete(table)
  }
})

/** From this session, with the challenge that the browser was given. */
const by = (session: Session, cookie = '') => ({
  session,
  request: new Request(auth.url, { headers: { cookie } }),
})
const challenged = (purpose: 'assertion' | 'registration', value: string) =>
  challengeCookie(parts, purpose, value).split(';')[0] ?? ''

const person = { email: 'fia@x.test', name: 'Fia', role: 'admin', schools: 'all' } as const
/** Somebody who has just signed in. */
const signedIn = async (change: { hash?: string | null; method?: 'password' | 'oidc'; role?: 'staff' } = {}) => {
  const hash = change.hash === undefined ? passwordHash : change.hash
  const user = await parts.users.create(database.db, { ...person, role: change.role ?? 'admin', passwordHash: hash })
  return { ...(await again(user.id, change.method)), userId: user.id }
}
const again = async (userId: string, method: 'password' | 'oidc' = 'password') => {
  const id = await sessions.begin({ userId, method, device: '?', address: '?' })
  const session = { id, userId, issuedAtMs: now() }
  return { session, viewer: await viewerOf(session) }
}
const viewerOf = async (session: { id: string; userId: string; issuedAtMs: number }): Promise<Viewer> => {
  const viewer = await parts.viewers.find(session)
  if (!viewer) throw new Error('nobody')
  return viewer
}
const withApp = async (viewer: Viewer) => {
  const { id, secret } = await beginTotp(parts, viewer, { name: 'Telefonen' })
  const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now() })
  const added = await confirmTotp(parts, viewer, { id, code: code() })
  time.ms += 30_000
  return { id, code, ...added }
}
const actions = async () =>
  (await database.db.select().from(activityTable).orderBy(asc(activityTable.id))).map(({ action }) => action)

describe('before something weighty', () => {
  test('ten minutes after signing in the person is asked, and not again for ten minutes after an answer', async () => {
    const { viewer, session } = await signedIn()
    time.ms += 10 * MINUTE_MS
    await requireProof(parts, session)
    time.ms += 1
    await expect(requireProof(parts, session)).rejects.toThrow(ProofNeededError)
    await giveProof(parts, viewer, { password: PASSWORD }, by(session))
    time.ms += 10 * MINUTE_MS
    await requireProof(parts, session)
    expect(told, 'so that no instance takes the old time for it').toEqual([viewer.id])
    expect(await actions()).toEqual(['proof-given'])
  })

  test('an answer counts for the session that gave it', async () => {
    const { viewer, session, userId } = await signedIn()
    const { session: other } = await again(userId)
    time.ms += 11 * MINUTE_MS
    await giveProof(parts, viewer, { password: PASSWORD }, by(session))
    await expect(requireProof(parts, other)).rejects.toThrow(ProofNeededError)
  })

  test('nobody is asked in the demo, nor who came by a provider that cannot tell when it asked', async () => {
    const { viewer, session } = await signedIn({ method: 'oidc' })
    time.ms += 11 * MINUTE_MS
    for (const providerCheck of [null, { canProve: () => false }])
      await expect(requireProof({ ...parts, providerCheck }, session)).resolves.toBeUndefined()
    const asked = requireProof({ ...parts, providerCheck: { canProve: () => true } }, session)
    await expect(asked).rejects.toThrow(ProofNeededError)
    expect(await waysToProve(parts, viewer, {}, { session })).toEqual({ ways: ['provider'] })
    await database.db.delete(usersTable)
    const { session: local } = await signedIn()
    time.ms += 11 * MINUTE_MS
    await expect(requireProof({ ...parts, env: { mode: 'demo' } }, local)).resolves.toBeUndefined()
  })

  test('who came by the provider proves it there: no password, app or passkey of theirs here does', async () => {
    const { viewer, session, userId } = await signedIn()
    const { code, recoveryCodes: spare } = await withApp(viewer)
    const { session: byProvider } = await again(userId, 'oidc')
    time.ms += 11 * MINUTE_MS
    const asking = { ...parts, providerCheck: { canProve: () => true } }
    for (const given of [{ code: code() }, { code: spare?.[0] ?? '' }, { password: PASSWORD }])
      await expect(giveProof(parts, viewer, given, by(byProvider))).rejects.toThrow(ConflictError)
    await expect(requireProof(asking, byProvider)).rejects.toThrow(ProofNeededError)
    await giveProof(parts, viewer, { code: code() }, by(session))
    await requireProof(asking, session)
    await expect(requireProof(asking, byProvider), 'another session of theirs').rejects.toThrow(ProofNeededError)
  })

  test('a password proves nothing of somebody whom it would not let in', async () => {
    const { viewer, session } = await signedIn()
    const off = { ...parts, env: { ...env, passwordSignIn: false } }
    await expect(giveProof(off, viewer, { password: PASSWORD }, by(session))).rejects.toThrow(WrongProofError)
    await giveProof(parts, viewer, { password: PASSWORD }, by(session))
  })

  test('a second factor is asked for where there is one, and the password is not enough then', async () => {
    const { viewer, session } = await signedIn()
    expect(await waysToProve(parts, viewer, {}, { session })).toEqual({ ways: ['password'] })
    const { code } = await withApp(viewer)
    expect(await waysToProve(parts, viewer, {}, { session })).toEqual({ ways: ['code'] })
    const wrong = giveProof(parts, viewer, { password: PASSWORD }, by(session))
    await expect(wrong).rejects.toThrow(WrongProofError)
    await giveProof(parts, viewer, { code: code() }, by(session))
    const device = softAuthenticator()
    const challenge = 'Y2hhbGxlbmdl'
    const adding = by(session, challenged('registration', challenge))
    await addPasskey(parts, viewer, { response: device.register({ challenge }), name: 'D' }, adding)
    expect(await waysToProve(parts, viewer, {}, { session })).toEqual({ ways: ['passkey', 'code'] })
    time.ms += 1_000
    const assertion = device.sign({ challenge })
    await giveProof(parts, viewer, { assertion }, by(session, challenged('assertion', challenge)))
    expect(await actions()).toEqual([
      'second-factor-added',
      'proof-failed',
      'proof-given',
      'second-factor-added',
      'proof-given',
    ])
  })

  test('guesses are slowed down, and those of others at the sign-in page stop nobody who is in', async () => {
    const { viewer, session } = await signedIn()
    for (let tries = 0; tries < 25; tries += 1) await parts.throttle.begin({ kind: 'account', value: person.email })
    for (let tries = 0; tries < 5; tries += 1) {
      await expect(giveProof(parts, viewer, { password: 'wrong' }, by(session))).rejects.toThrow(WrongProofError)
    }
    const locked = giveProof(parts, viewer, { password: PASSWORD }, by(session))
    await expect(locked).rejects.toMatchObject({ name: TooManyTriesError.tag, retryAfterSeconds: 30 })
    time.ms += 30_000
    await giveProof(parts, viewer, { password: PASSWORD }, by(session))
  })

  test('exports ask only when they are larger than the rules say', async () => {
    const { viewer, session } = await signedIn()
    const exporter = allow(viewer, 'leads:export')
    time.ms += 11 * MINUTE_MS
    await requireProofForMany(parts, exporter, session, 1_000)
    await expect(requireProofForMany(parts, exporter, session, 1_001)).rejects.toThrow(ProofNeededError)
    await changeSignInRules(parts, viewer, { secondFactorFor: [], proofAboveLeads: 5 })
    await expect(requireProofForMany(parts, exporter, session, 6)).rejects.toThrow(ProofNeededError)
    expect(await actions()).toEqual(['settings-changed'])
  })
})

describe('one’s own password', () => {
  test('is changed with the current one; other sessions end, this one goes on', async () => {
    const { viewer, session, userId } = await signedIn()
    const { session: other } = await again(userId)
    await changeOwnPassword(parts, viewer, { current: PASSWORD, password: 'another horse battery' }, by(session))
    expect([await parts.viewers.find(other), (await viewerOf(session)).id]).toEqual([null, viewer.id])
    const { passwordHash: hash = null } = (await parts.users.find(viewer.id)) ?? {}
    expect(await matchesPassword(hash, 'another horse battery')).toBe(true)
    expect([await actions(), told]).toEqual([['password-changed'], [viewer.id]])
  })

  test('stays with a wrong current one, which is counted, and with a new one that is none', async () => {
    const { viewer, session } = await signedIn()
    const change = (current: string, password: string) =>
      changeOwnPassword(parts, viewer, { current, password }, by(session))
    await expect(change(PASSWORD, 'elevenchars')).rejects.toMatchObject({ reason: 'too-short' })
    await expect(change(PASSWORD, 'Password1234')).rejects.toThrow(InvalidInputError)
    for (let tries = 0; tries < 5; tries += 1) {
      await expect(change('wrong', 'another horse battery')).rejects.toThrow(WrongProofError)
    }
    await expect(change(PASSWORD, 'another horse battery')).rejects.toThrow(TooManyTriesError)
    expect((await parts.users.find(viewer.id))?.passwordHash).toBe(passwordHash)
  })

  test('is nothing that people of a provider or of the demo have, and so neither is a second factor', async () => {
    const { viewer, session } = await signedIn({ hash: null, method: 'oidc' })
    const demo = { ...person, email: 'demo@x.test', passwordHash }
    await parts.users.restoreDemo(demo)
    const shared = await again((await parts.users.findByEmail(demo.email))?.id ?? '')
    for (const each of [{ viewer, session }, shared]) {
      expect(await hasOwnPassword(parts, each.viewer)).toBe(false)
      const change = { current: PASSWORD, password: 'another horse battery' }
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
    await changeSignInRules(parts, admin, { secondFactorFor: ['staff'], proofAboveLeads: 1_000 })
    const { id: userId } = await parts.users.create(database.db, {
      ...person,
      email: 'ola@x.test',
      role: 'staff',
      passwordHash,
    })
    const { viewer, session } = await again(userId)
    expect(viewer).toMatchObject({ mustEnrol: true, permissions: new Set() })
    expect((await again(admin.id)).viewer.mustEnrol, 'another role').toBe(false)
    expect((await again(userId, 'oidc')).viewer.mustEnrol, 'by a provider').toBe(false)
    const begun = await beginTotp(parts, viewer, { name: 'Telefonen' })
    expect((await viewerOf(session)).mustEnrol, 'not confirmed').toBe(true)
    await confirmTotp(parts, viewer, {
      id: begun.id,
      code: new TOTP({ secret: Secret.fromBase32(begun.secret) }).generate({ timestamp: now() }),
    })
    expect(await viewerOf(session)).toMatchObject({ mustEnrol: false, schools: 'all' })
    expect(told).toContain(userId)
  })

  test('is asked of no account of the demo', async () => {
    const { viewer: admin } = await signedIn()
    await changeSignInRules(parts, admin, { secondFactorFor: ['staff', 'manager', 'admin'], proofAboveLeads: 1_000 })
    await parts.users.restoreDemo({ ...person, email: 'demo@x.test', passwordHash })
    const shared = await again((await parts.users.findByEmail('demo@x.test'))?.id ?? '')
    expect(shared.viewer.mustEnrol).toBe(false)
  })
})
