import { hash, verify } from '@node-rs/argon2'
import { normalizePassword } from '@/lib/contract/limits'
import { createConcurrencyLimit } from '@/server/base/concurrency-limit'
import { InvalidInputError } from '@/server/base/errors'
import { oncePerProcess } from '@/server/base/once-per-process'
import type { Services } from '@/server/base/services'
import { findPasswordFault } from './password-rules'
import type { StoredUser } from './users'

/** OWASP's argon2id profile: 19 MiB, two passes, one lane. A hash carries its own parameters. */
const ARGON2_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** A process computes two hashes at once and queues the rest, because each takes a core some hundredths of a second. */
const getHashLimit = oncePerProcess('password-turns', () => createConcurrencyLimit(2))

export function hashPassword(password: string) {
  return getHashLimit()(() => hash(password, ARGON2_COST))
}

/** The hash of a random password. Verifying it for an unknown user takes as long as for a known one. */
const DUMMY_HASH = '$argon2id$v=19$m=19456,t=2,p=1$KMzWQkNdCVAxK+skj0bUrw$BB1+A11DjrPae5MqGtVEqDhTbNCQptkY+3/AEiTiHGU'

export async function matchesPassword(passwordHash: string | null, password: string) {
  const isRight = await getHashLimit()(() => verify(passwordHash ?? DUMMY_HASH, normalizePassword(password)))
  return passwordHash !== null && isRight
}

/** Throws `InvalidInputError` if the password may not be used (NIST SP 800-63B-4, 3.1.1.2; ASVS 5.0, 6.2). */
export async function hashNewPassword({ env }: Services, { email }: StoredUser, password: string) {
  const fault = await findPasswordFault(password, { email, origin: env.auth.url })
  if (fault !== null) throw new InvalidInputError('password', fault)
  return hashPassword(normalizePassword(password))
}
