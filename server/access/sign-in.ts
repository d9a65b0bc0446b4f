import 'server-only'
import type { Counters } from '@/server/base/counters'
import Credentials from 'next-auth/providers/credentials'
import { z } from 'zod'
import type { Activity } from './activity'
import { createInFlightLimit } from '@/server/base/concurrency-limit'
import { NotReadyError } from '@/server/base/errors'
import { isStorableText } from '@/server/base/parse-input'
import { isOutage } from '@/server/base/trouble'
import type { Logger } from '@/server/base/logger'
import type { StoredUser, Users } from './users'
import { callerNetwork } from './address'
import type { KnownDevices } from './known-devices'
import { type FactorOutcome, secretOf, type SecondFactors } from './second-factors'
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
  secondFactors: Pick<SecondFactors, 'check'>
  env: PasswordEnv
}
type Credentials = {
  email: string
  password: string
  code?: string | undefined
  address: string
  device: string | null
}

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
  }
}

const BUSY_SECONDS = 2

/** Neither answer nor timing discloses whether the e-mail is known. */
async function withPassword(parts: Parts, credentials: Credentials): Promise<SignInResult> {
  const { email, password, code, address, device } = credentials
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
  const factor = isRight ? await checkFactor(parts, user.id, code, isKnownDevice ? device : null) : 'wrong'
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
  code: string | undefined,
  device: string | null,
): Promise<FactorOutcome | Locked> {
  const secret = secretOf(code)
  if (secret === null) return secondFactors.check(userId, code)
  const key = secretKey(userId, secret, device)
  const locked = await throttle.countTry(key)
  if (locked) return locked
  const outcome = await secondFactors.check(userId, code)
  if (outcome !== 'wrong') await throttle.succeeded(key, secretKey(userId, secret))
  return outcome
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

type ProviderParts = { signIn: SignIn; logger: Pick<Logger, 'error'> }
/** `failure` is set where next-auth would carry on regardless. */
export type Caller = { request: Request; address: string; device: string | null; failure: unknown }

export const MAX_FORM_BYTES = 20_000

const credentialsSchema = z.object({
  email: z.string().min(1).max(200).refine(isStorableText),
  // In UTF-16 units; 200 characters may have many more.
  password: z.string().min(1).max(2_000),
  code: z.string().max(40).optional(),
})

/** The error codes are a contract with `lib/api/auth-requests.ts`; null is next-auth's `CredentialsSignin`. */
export function passwordProvider(parts: ProviderParts, caller: Caller) {
  return Credentials({
    id: 'credentials',
    credentials: { email: { type: 'email' }, password: { type: 'password' } },
    async authorize(input) {
      const given = credentialsSchema.safeParse(input)
      if (!given.success) return null
      const { address, device } = caller
      return personOf(parts, caller, () => parts.signIn.withPassword({ ...given.data, address, device }))
    },
  })
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

/** The same ways in, with each try counted by what came of it. */
export function countSignIns(signIn: SignIn, count: Counters['signIn']): SignIn {
  return {
    withPassword: async (given) => {
      try {
        const result = await signIn.withPassword(given)
        count('password', result.ok ? 'accepted' : result.reason)
        return result
      } catch (error) {
        count('password', error instanceof NotReadyError ? 'busy' : 'failed')
        throw error
      }
    },
  }
}
