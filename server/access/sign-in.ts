import 'server-only'
import Credentials from 'next-auth/providers/credentials'
import { z } from 'zod'
import { passkeyAssertionSchema } from '@/lib/contract/account'
import type { Activity } from '@/server/activity/activity'
import { createInFlightLimit } from '@/server/concurrency-limit'
import { NotReadyError } from '@/server/errors'
import { isStorableText } from '@/server/http/input'
import { parsedJson } from '@/server/parsed-json'
import { isOutage } from '@/server/http/responses'
import type { Logger } from '@/server/logger'
import type { StoredUser, Users } from '@/server/users/users'
import { callerNetwork } from './address'
import type { KnownDevices } from './known-devices'
import {
  type ChallengeParts,
  readChallenge,
  type GivenAssertion,
  type FactorOutcome,
  type GivenFactor,
  secretGiven,
  type SecondFactors,
} from './second-factors'
import { matchesPassword } from './passwords'
import { mayUsePassword, type PasswordEnv } from './sign-in-rules'
import { type AttemptKey, type Locked, secretKey, type Throttle } from './throttle'

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
  secondFactors: Pick<SecondFactors, 'check' | 'passkeyOwner'>
  env: PasswordEnv
}
type Credentials = GivenFactor & { email: string; password: string; address: string; device: string | null }

/** Every outcome is logged, by id; of throttled attempts the first of each wait. */
export function createSignIn(parts: Parts) {
  // Unknown browsers share few places, an address even fewer; a flood leaves the places of known browsers free.
  const strangers = createInFlightLimit({ max: 10, maxPerKey: 4, retryAfterSeconds: BUSY_SECONDS })
  const known = createInFlightLimit({ max: 20, maxPerKey: 4, retryAfterSeconds: BUSY_SECONDS })
  return {
    async withPassword(credentials: Credentials): Promise<SignInResult> {
      const { address, device } = credentials
      const free = device === null ? strangers(callerNetwork(address)) : known(device)
      return withPassword(parts, credentials).finally(free)
    },
    withPasskey: (assertion: GivenAssertion, address: string) => withPasskey(parts, assertion, address),
  }
}

const BUSY_SECONDS = 2

/** Neither answer nor timing discloses whether the e-mail is known. */
async function withPassword(parts: Parts, credentials: Credentials): Promise<SignInResult> {
  const { email, password, address, device, ...given } = credentials
  const { users, throttle, devices, activity, env } = parts
  const known = device === null && throttle.cachedLock(...keysOf({ email, address, device }).counted)
  if (known) return tooMany(known)
  const user = await users.findByEmail(email)
  const isKnownDevice = await devices.isKnown(device, user?.id ?? '')
  const keys = keysOf({ email, address, device: isKnownDevice ? device : null })
  const log = (action: 'sign-in' | 'sign-in-failed' | 'sign-in-throttled' | 'recovery-code-used', more = {}) =>
    activity.record({ userId: user?.id ?? null, action, details: { with: 'password', ...more } })
  const refused = async (lock: Locked) => {
    if (lock.isNew) await log('sign-in-throttled', { brake: lock.kind })
    return tooMany(lock)
  }
  const locked = await throttle.countTry(...keys.counted)
  if (locked) return refused(locked)
  const matches = await matchesPassword(user?.passwordHash ?? null, password)
  const isRight = matches && user !== null && !user.disabled && mayUsePassword(env, user)
  const factor = isRight ? await checkFactor(parts, user.id, given, isKnownDevice ? device : null) : 'wrong'
  if (typeof factor === 'object') return refused(factor)
  if (factor === 'needed') {
    // The attempt stays counted for the account: guessing codes is throttled like guessing passwords.
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

/** Counted for that secret, besides the attempt as a whole: another right secret resets nothing. */
async function checkFactor(
  { secondFactors, throttle }: Parts,
  userId: string,
  given: GivenFactor,
  device: string | null,
): Promise<FactorOutcome | Locked> {
  const secret = secretGiven(given)
  if (secret === null) return secondFactors.check(userId, given)
  const key = secretKey(userId, secret, device)
  const locked = await throttle.countTry(key)
  if (locked) return locked
  const outcome = await secondFactors.check(userId, given)
  if (outcome !== 'wrong') await throttle.succeeded(key, secretKey(userId, secret))
  return outcome
}

/** A passkey identifies the user, verified by the device: two factors (NIST SP 800-63B-4, 2.2.1). */
async function withPasskey(parts: Parts, assertion: GivenAssertion, address: string): Promise<SignInResult> {
  const { users, throttle, activity, secondFactors, env } = parts
  const place = { kind: 'address', value: callerNetwork(address) } as const
  const locked = await throttle.countTry(place)
  if (locked) return tooMany(locked)
  const id = await secondFactors.passkeyOwner(assertion)
  const user = id === null ? null : await users.find(id)
  const isRight = user !== null && !user.disabled && mayUsePassword(env, user)
  const action = isRight ? 'sign-in' : 'sign-in-failed'
  await activity.record({ userId: user?.id ?? null, action, details: { with: 'passkey' } })
  if (!isRight) return { ok: false, reason: 'refused' }
  await throttle.succeeded(place)
  return { ok: true, user }
}

function tooMany({ retryAfterSeconds }: Locked): SignInResult {
  return { ok: false, reason: 'too-many-attempts', retryAfterSeconds }
}

/** The keys an attempt counts for, and those a success resets. From a known device only its own key counts. */
function keysOf({ email, address, device }: Pick<Credentials, 'email' | 'address' | 'device'>) {
  const whole: AttemptKey = { kind: 'account', value: email }
  const here: AttemptKey = { kind: 'account-address', value: `${email} ${callerNetwork(address)}` }
  const place: AttemptKey = { kind: 'address', value: callerNetwork(address) }
  if (device === null) return { counted: [here, whole, place], cleared: [here, whole, place] }
  const own: AttemptKey = { kind: 'device', value: `${email} ${device}` }
  return { counted: [own], cleared: [own, here, whole] }
}

type ProviderParts = ChallengeParts & { signIn: SignIn; logger: Pick<Logger, 'error'> }
/** `failure` is set where next-auth would carry on regardless. */
export type Caller = { request: Request; address: string; device: string | null; failure: unknown }

export const MAX_FORM_BYTES = 20_000

const credentialsSchema = z.object({
  email: z.string().min(1).max(200).refine(isStorableText),
  // In UTF-16 units; 200 characters may have many more.
  password: z.string().min(1).max(2_000),
  code: z.string().max(40).optional(),
  assertion: z.string().max(MAX_FORM_BYTES).optional(),
})

/** The error codes are a contract with `lib/api/auth-requests.ts`; null is next-auth's `CredentialsSignin`. */
export function passwordProvider(parts: ProviderParts, caller: Caller) {
  return Credentials({
    id: 'credentials',
    credentials: { email: { type: 'email' }, password: { type: 'password' } },
    async authorize(input) {
      const given = credentialsSchema.safeParse(input)
      if (!given.success) return null
      const { assertion, ...rest } = given.data
      const signed = assertion === undefined ? {} : { assertion: assertionIn(parts, assertion, caller.request) }
      const { address, device } = caller
      return personOf(parts, caller, () => parts.signIn.withPassword({ ...rest, ...signed, address, device }))
    },
  })
}

export function passkeyProvider(parts: ProviderParts, caller: Caller) {
  return Credentials({
    id: 'passkey',
    credentials: { assertion: { type: 'text' } },
    async authorize(input) {
      const given = z.object({ assertion: z.string().min(1).max(MAX_FORM_BYTES) }).safeParse(input)
      const assertion = given.success ? assertionIn(parts, given.data.assertion, caller.request) : null
      if (assertion === null) return null
      return personOf(parts, caller, () => parts.signIn.withPasskey(assertion, caller.address))
    },
  })
}

function assertionIn(parts: ProviderParts, text: string, request: Request): GivenAssertion | null {
  const challenge = readChallenge(parts, 'assertion', request)
  const response = passkeyAssertionSchema.safeParse(parsedJson(text))
  return challenge && response.success ? { response: response.data, challenge } : null
}

async function personOf({ logger }: ProviderParts, caller: Caller, signIn: () => Promise<SignInResult>) {
  const result = await signIn().catch((error: unknown) => {
    if (error instanceof NotReadyError || isOutage(error)) caller.failure = error
    if (!(error instanceof NotReadyError)) logger.error({ err: error }, 'sign-in failed')
    throw new Error('Unavailable')
  })
  if (result.ok) return { id: result.user.id }
  if (result.reason === 'too-many-attempts') throw new Error(`TooManyAttempts:${result.retryAfterSeconds}`)
  if (result.reason === 'second-factor-needed') throw new Error('SecondFactorNeeded')
  return null
}
