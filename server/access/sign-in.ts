import Credentials from 'next-auth/providers/credentials'
import { z } from 'zod'
import { isOutage } from '@/server/base/database-outage'
import { NotReadyError, TooManyTriesError } from '@/server/base/errors'
import { isStorableText } from '@/server/base/parse-input'
import type { Services } from '@/server/base/services'
import type { ActivityEntry } from './activity'
import { toCallerNetwork } from './ip-address'
import { matchesPassword } from './passwords'
import { checkFactor } from './second-factors'
import { mayUsePassword } from './password-access'
import { toAccountAttemptKeys, toSecretAttemptKey } from './throttle'
import type { StoredUser } from './users'

/** Errors of next-auth's callbacks are kept in `failure` and thrown after its answer, because it swallows them. */
export type SignInAttempt = { address: string; failure: unknown }

const credentialsSchema = z.object({
  email: z.string().min(1).max(200).refine(isStorableText),
  // Zod counts UTF-16 units, of which the 200 characters of a password may need several each.
  password: z.string().min(1).max(2_000),
  code: z.string().max(40).optional(),
})

/** next-auth sends the messages of errors to the sign-in page, and `CredentialsSignin` for null. */
export function createPasswordProvider(services: Services, attempt: SignInAttempt) {
  const { counters, logger } = services
  return Credentials({
    id: 'credentials',
    credentials: { email: { type: 'email' }, password: { type: 'password' } },
    async authorize(input) {
      const parsed = credentialsSchema.safeParse(input)
      if (!parsed.success) return null
      const credentials = { ...parsed.data, address: attempt.address }
      const result = await signInWithPassword(services, credentials).catch((error: unknown) => {
        const outcome = toFailedOutcome(error)
        counters.countSignIn('password', outcome)
        if (outcome !== 'failed' || isOutage(error)) attempt.failure = error
        if (outcome === 'failed') logger.error({ err: error }, 'sign-in failed')
        throw new Error('Unavailable')
      })
      counters.countSignIn('password', result.ok ? 'accepted' : result.reason)
      if (result.ok) return { id: result.user.id }
      if (result.reason === 'second-factor-needed') throw new Error('SecondFactorNeeded')
      return null
    },
  })
}

function toFailedOutcome(error: unknown) {
  if (error instanceof NotReadyError) return 'busy'
  return error instanceof TooManyTriesError ? 'too-many-attempts' : 'failed'
}

/** Neither answer nor timing discloses whether the e-mail is known. Throws while the caller must wait. */
export async function signInWithPassword(
  services: Services,
  { email, password, code, address }: z.infer<typeof credentialsSchema> & { address: string },
): Promise<{ ok: true; user: StoredUser } | { ok: false; reason: 'refused' | 'second-factor-needed' }> {
  const { users, throttle, activity, env } = services
  const releaseSlot = services.signInLimit(toCallerNetwork(address))
  try {
    const { accountNetwork, account } = toAccountAttemptKeys(email, address)
    // In a network where the user has signed in before, guesses from other networks cause no wait.
    const attemptKeys = (await throttle.hasSucceeded(accountNetwork)) ? [accountNetwork] : [accountNetwork, account]
    await throttle.countTry(...attemptKeys)
    const user = await users.findByEmail(email)
    const log = (action: ActivityEntry['action'], extraDetails = {}) =>
      activity.record({ userId: user?.id ?? null, action, details: { with: 'password', ...extraDetails } })
    const matches = await matchesPassword(user?.passwordHash ?? null, password)
    const isRight = matches && user !== null && !user.disabled && mayUsePassword(env, user)
    const factor = isRight ? await checkFactor(services, user.id, code) : 'wrong'
    // The try stays counted, so that guessing codes is throttled like guessing passwords.
    if (factor === 'needed') return { ok: false, reason: 'second-factor-needed' }
    if (!isRight || factor === 'wrong') {
      await log('sign-in-failed', isRight ? { with: 'second-factor' } : {})
      const triedKeys = isRight ? [...attemptKeys, toSecretAttemptKey(user.id, 'factor')] : attemptKeys
      if (await throttle.isLocked(...triedKeys)) await log('sign-in-throttled')
      return { ok: false, reason: 'refused' }
    }
    await throttle.recordSuccess(accountNetwork, account)
    if (factor === 'recovery-code') await log('recovery-code-used')
    await log('sign-in', factor === 'none' ? {} : { factor })
    return { ok: true, user }
  } finally {
    releaseSlot()
  }
}
