import 'server-only'
import type { Activity } from '@/server/activity/activity'
import type { Env } from '@/server/env'
import { createPlaces } from '@/server/turns'
import type { StoredUser, Users } from '@/server/users/users'
import { oneAsking } from './address'
import type { KnownDevices } from './known-devices'
import type { GivenAssertion, Passkeys } from './passkeys'
import { mayUsePassword } from './password-sign-in'
import { matchesPassword } from './passwords'
import { secretKey } from './secret-counters'
import { type FactorOutcome, type GivenFactor, secretGiven, type SecondFactors } from './second-factors'
import type { AttemptKey, Locked, Throttle } from './throttle'

export type SignInResult =
  | { ok: true; user: StoredUser }
  | { ok: false; reason: 'refused' | 'second-factor-needed' }
  | { ok: false; reason: 'too-many-attempts'; retryAfterSeconds: number }
export type SignIn = ReturnType<typeof createSignIn>

type Parts = {
  users: Users
  throttle: Throttle
  devices: Pick<KnownDevices, 'isKnown'>
  activity: Activity
  secondFactors: Pick<SecondFactors, 'check'>
  passkeys: Pick<Passkeys, 'verify'>
  env: Pick<Env, 'oidc' | 'passwordSignIn'>
  now: () => number
}
/** `device` is the token of a browser that somebody signed in from before. */
type Credentials = GivenFactor & { email: string; password: string; address: string; device: string | null }

/** The ways in without a provider. Every outcome is in the activity log, by id; of throttled tries the first of each wait. */
export function createSignIn(parts: Parts) {
  const places = createSignInPlaces()
  return {
    /** `NotReadyError` while too many try at once. */
    async withPassword(credentials: Credentials): Promise<SignInResult> {
      const free = places(credentials)
      return withPassword(parts, credentials).finally(free)
    },
    withPasskey: (assertion: GivenAssertion, address: string) => withPasskey(parts, assertion, address),
  }
}

const BUSY_SECONDS = 2

/**
 * How many may try at once, before anything is looked up for them. Strangers have a few places and no address all of them;
 * a flood of guesses leaves those of browsers from which somebody has signed in before.
 */
function createSignInPlaces() {
  const strangers = createPlaces({ most: 10, mostOfEach: 4, retryAfterSeconds: BUSY_SECONDS })
  const known = createPlaces({ most: 20, mostOfEach: 4, retryAfterSeconds: BUSY_SECONDS })
  return ({ address, device }: Credentials) => (device === null ? strangers(oneAsking(address)) : known(device))
}

/** The answer, and the time it takes, do not tell an unknown e-mail from a wrong password. */
async function withPassword(parts: Parts, credentials: Credentials): Promise<SignInResult> {
  const { email, password, address, device, ...given } = credentials
  const { users, throttle, devices, activity, env, now } = parts
  const known = device === null && throttle.knownLock(...keysOf({ email, address, device }).counted)
  if (known) return tooMany(known, now())
  const user = await users.findByEmail(email)
  const isKnownDevice = await devices.isKnown(device, user?.id ?? '')
  const keys = keysOf({ email, address, device: isKnownDevice ? device : null })
  const locked = await throttle.begin(...keys.counted)
  const log = (action: 'sign-in' | 'sign-in-failed' | 'sign-in-throttled' | 'recovery-code-used', more = {}) =>
    activity.record({ userId: user?.id ?? null, action, details: { with: 'password', ...more } })
  const refused = async (lock: Locked) => {
    if (lock.isNew) await log('sign-in-throttled', { brake: lock.kind })
    return tooMany(lock, now())
  }
  if (locked) return refused(locked)
  const matches = await matchesPassword(user?.passwordHash ?? null, password)
  const isRight = matches && user !== null && !user.disabled && mayUsePassword(env, user)
  const factor = isRight ? await checkFactor(parts, user.id, given, isKnownDevice ? device : null) : 'wrong'
  if (typeof factor === 'object') return refused(factor)
  if (factor === 'needed') {
    // For the account the try stays counted: guessing codes is slowed down like guessing passwords.
    await throttle.succeeded(...keys.counted.filter(({ kind }) => kind === 'address'))
    return { ok: false, reason: 'second-factor-needed' }
  }
  if (!isRight || factor === 'wrong') {
    await log('sign-in-failed', { knownDevice: isKnownDevice, ...(isRight && { with: 'second-factor' }) })
    return { ok: false, reason: 'refused' }
  }
  await throttle.succeeded(...keys.cleared)
  if (factor === 'recovery-code') await log('recovery-code-used')
  await log('sign-in', factor === 'none' ? {} : { factor })
  return { ok: true, user }
}

/**
 * Counted for that secret of the person, besides the try as a whole: another secret that is right lifts nothing. `device` is
 * known as theirs: there nobody else's tries count.
 */
async function checkFactor(
  { secondFactors, throttle }: Parts,
  userId: string,
  given: GivenFactor,
  device: string | null,
): Promise<FactorOutcome | Locked> {
  const secret = secretGiven(given)
  if (secret === null) return secondFactors.check(userId, given)
  const key = secretKey(userId, secret, device)
  const locked = await throttle.begin(key)
  if (locked) return locked
  const outcome = await secondFactors.check(userId, given)
  if (outcome !== 'wrong') await throttle.succeeded(key, secretKey(userId, secret))
  return outcome
}

/** A passkey says who it is by itself, and that its device knew the person: both factors in one (NIST SP 800-63B-4, 2.2.1). */
async function withPasskey(parts: Parts, assertion: GivenAssertion, address: string): Promise<SignInResult> {
  const { users, throttle, activity, passkeys, env, now } = parts
  const place = { kind: 'address', value: oneAsking(address) } as const
  const locked = await throttle.begin(place)
  if (locked) return tooMany(locked, now())
  const id = await passkeys.verify(assertion)
  const user = id === null ? null : await users.find(id)
  const isRight = user !== null && !user.disabled && mayUsePassword(env, user)
  const action = isRight ? 'sign-in' : 'sign-in-failed'
  await activity.record({ userId: user?.id ?? null, action, details: { with: 'passkey' } })
  if (!isRight) return { ok: false, reason: 'refused' }
  await throttle.succeeded(place)
  return { ok: true, user }
}

function tooMany({ lockedUntil }: { lockedUntil: number }, now: number): SignInResult {
  return { ok: false, reason: 'too-many-attempts', retryAfterSeconds: Math.ceil((lockedUntil - now) / 1000) }
}

/** What a try counts for, and what a right one clears. On a device of theirs a person is counted by nothing else. */
function keysOf({ email, address, device }: Pick<Credentials, 'email' | 'address' | 'device'>) {
  const whole: AttemptKey = { kind: 'account', value: email }
  const here: AttemptKey = { kind: 'account-address', value: `${email} ${oneAsking(address)}` }
  const place: AttemptKey = { kind: 'address', value: oneAsking(address) }
  if (device === null) return { counted: [here, whole, place], cleared: [here, whole, place] }
  const own: AttemptKey = { kind: 'device', value: `${email} ${device}` }
  return { counted: [own], cleared: [own, here, whole] }
}
