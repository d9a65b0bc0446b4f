import 'server-only'
import { eq } from 'drizzle-orm'
import { knownDevices } from '@/server/db/access-schema'
import type { Db } from '@/server/db/database'
import { deviceHash } from './known-devices'
import type { AttemptKey, Throttle } from './throttle'

export type Secret = 'password' | 'totp' | 'passkey' | 'recovery-code'
export const FACTOR_SECRETS = ['totp', 'passkey', 'recovery-code'] as const satisfies Secret[]

/**
 * What tries of one secret of a person are counted by: one counter wherever it is asked for, but for sign-in in a browser
 * that is known as theirs, by its token. No other secret clears it.
 */
export function secretKey(userId: string, secret: Secret, device: string | null = null): AttemptKey {
  return keyOf(userId, secret, device === null ? null : deviceHash(device, userId))
}

function keyOf(userId: string, secret: Secret, device: string | null): AttemptKey {
  return { kind: 'secret', value: [secret, userId, ...(device === null ? [] : [device])].join(' ') }
}

/**
 * Within a transaction, when these secrets are gone or new: what was counted of them, in their known browsers as well, says
 * nothing any more.
 */
export async function forgiveSecrets(
  throttle: Pick<Throttle, 'forgive'>,
  tx: Db,
  userId: string,
  secrets: readonly Secret[],
): Promise<void> {
  const known = await tx
    .select({ device: knownDevices.tokenHash })
    .from(knownDevices)
    .where(eq(knownDevices.userId, userId))
  const places = [null, ...known.map(({ device }) => device)]
  await throttle.forgive(tx, ...secrets.flatMap((secret) => places.map((device) => keyOf(userId, secret, device))))
}
