import 'server-only'
import type { Activity } from '@/server/activity/activity'
import { createPlaces } from '@/server/turns'
import type { StoredUser, Users } from '@/server/users/users'
import { oneAsking } from './address'
import type { KnownDevices } from './known-devices'
import { verifyPassword } from './password'
import type { AttemptKey, Throttle } from './throttle'

export type SignInResult =
  | { ok: true; user: StoredUser }
  | { ok: false; reason: 'refused' }
  | { ok: false; reason: 'too-many-attempts'; retryAfterSeconds: number }
export type SignIn = ReturnType<typeof createSignIn>

type Parts = {
  users: Users
  throttle: Throttle
  devices: Pick<KnownDevices, 'isKnown'>
  activity: Activity
  now: () => number
  /** Whether role or schools come from the provider of single sign-on, for whoever comes by it. */
  providerDecides?: boolean
}
/** `device` is the token of a browser that somebody signed in from before. */
type Credentials = { email: string; password: string; address: string; device: string | null }

/** The way in without a provider. Every outcome is in the activity log, by id; of throttled tries the first of each wait. */
export function createSignIn(parts: Parts) {
  const places = createSignInPlaces()
  return {
    /** `NotReadyError` while too many try at once. */
    async withPassword(credentials: Credentials): Promise<SignInResult> {
      const free = places(credentials)
      return withPassword(parts, credentials).finally(free)
    },
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
async function withPassword(parts: Parts, { email, password, address, device }: Credentials): Promise<SignInResult> {
  const { users, throttle, devices, activity, now } = parts
  const known = device === null && throttle.knownLock(...keysOf({ email, address, device }).counted)
  if (known) return tooMany(known, now())
  const user = await users.findByEmail(email)
  const isKnownDevice = await devices.isKnown(device, user?.id ?? '')
  const keys = keysOf({ email, address, device: isKnownDevice ? device : null })
  const locked = await throttle.begin(...keys.counted)
  const log = (action: 'sign-in' | 'sign-in-failed' | 'sign-in-throttled', more = {}) =>
    activity.record({ userId: user?.id ?? null, action, details: { with: 'password', ...more } })
  if (locked) {
    if (locked.isNew) await log('sign-in-throttled', { brake: locked.kind })
    return tooMany(locked, now())
  }
  const matches = await verifyPassword(user?.passwordHash ?? null, password)
  if (!matches || !user || user.disabled || isOnlyProviders(parts, user)) {
    await log('sign-in-failed', { knownDevice: isKnownDevice })
    return { ok: false, reason: 'refused' }
  }
  await throttle.succeeded(...keys.cleared)
  await log('sign-in')
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

/** Whom the provider manages comes by the provider alone: by a password they would stay what they were when it takes that away. */
function isOnlyProviders({ providerDecides = false }: Parts, { managed, breakGlass }: StoredUser): boolean {
  return providerDecides && managed && !breakGlass
}
