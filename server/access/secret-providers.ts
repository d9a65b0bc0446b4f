import 'server-only'
import Credentials from 'next-auth/providers/credentials'
import { z } from 'zod'
import { passkeyAssertionSchema } from '@/lib/contract/second-factor'
import type { Env } from '@/server/env'
import { NotReadyError } from '@/server/errors'
import { isStorableText, parsedJson } from '@/server/http/input'
import { isOutage } from '@/server/http/responses'
import type { Logger } from '@/server/logger'
import type { Seal } from '@/server/seal'
import { challengeOf } from './passkey-challenge'
import type { GivenAssertion } from './passkeys'
import type { SignIn, SignInResult } from './sign-in'

type Parts = { env: Pick<Env, 'auth'>; signIn: SignIn; seal: Seal; logger: Pick<Logger, 'error'>; now: () => number }
/** Who asks, from where, by which known browser. `failure` is set where next-auth would go on as if nothing had happened. */
export type Caller = { request: Request; address: string; device: string | null; failure: unknown }

/** An e-mail, a password and a token need far less; next-auth itself would read whatever anybody sends. */
export const LIMIT_BYTES = 20_000

const credentialsSchema = z.object({
  email: z.string().min(1).max(200).refine(isStorableText),
  // In code units, of which 200 characters may have many more.
  password: z.string().min(1).max(2_000),
  code: z.string().max(40).optional(),
  assertion: z.string().max(LIMIT_BYTES).optional(),
})

/**
 * A refusal is next-auth's `CredentialsSignin`; `TooManyAttempts:<seconds>`, `Unavailable` and `SecondFactorNeeded` are ours.
 * After the last the same is sent again with `code`, or with what a passkey signed as `assertion`.
 */
export function passwordProvider(parts: Parts, caller: Caller) {
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

/** A passkey by itself, without e-mail or password. */
export function passkeyProvider(parts: Parts, caller: Caller) {
  return Credentials({
    id: 'passkey',
    credentials: { assertion: { type: 'text' } },
    async authorize(input) {
      const given = z.object({ assertion: z.string().min(1).max(LIMIT_BYTES) }).safeParse(input)
      const assertion = given.success ? assertionIn(parts, given.data.assertion, caller.request) : null
      if (assertion === null) return null
      return personOf(parts, caller, () => parts.signIn.withPasskey(assertion, caller.address))
    },
  })
}

/** What a passkey signed, with the challenge that this browser was given; null when either is missing. */
function assertionIn(parts: Parts, text: string, request: Request): GivenAssertion | null {
  const challenge = challengeOf(parts, 'assertion', request)
  const response = passkeyAssertionSchema.safeParse(parsedJson(text))
  return challenge && response.success ? { response: response.data, challenge } : null
}

/** What next-auth takes for a person, or for why not. */
async function personOf(
  { logger }: Parts,
  caller: Caller,
  signIn: () => Promise<SignInResult>,
): Promise<{ id: string } | null> {
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
