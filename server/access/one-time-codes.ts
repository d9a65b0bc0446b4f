import 'server-only'
import { randomUUID } from 'node:crypto'
import { and, eq, isNull, lt } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { secondFactors } from '@/server/db/access-schema'
import type { Db } from '@/server/db/database'
import { placeOf } from '@/server/db/sealed-columns'
import type { Seal } from '@/server/seal'

type Sealing = { seal: Seal; now: number }

/** Within a transaction: a shared secret for a telephone, which counts once a code of it was right. */
export async function beginTotp(
  tx: Db,
  userId: string,
  name: string,
  { seal, now }: Sealing,
): Promise<{ id: string; secret: string }> {
  await tx.delete(secondFactors).where(and(eq(secondFactors.userId, userId), isNull(secondFactors.confirmedAt)))
  const id = randomUUID()
  const secret = new Secret({ size: SECRET_BYTES }).base32
  const sealedKey = seal.close(secret, placeOf.secondFactor(id))
  await tx.insert(secondFactors).values({ id, userId, type: 'totp', name, sealedKey, createdAt: new Date(now) })
  return { id, secret }
}

/** Within a transaction: whether the code is one of the secret that was begun, which counts from now on. */
export async function confirmTotp(
  tx: Db,
  userId: string,
  { id, code }: { id: string; code: string },
  sealing: Sealing,
): Promise<boolean> {
  const [begun] = await tx
    .select()
    .from(secondFactors)
    .where(and(eq(secondFactors.id, id), eq(secondFactors.userId, userId), isNull(secondFactors.confirmedAt)))
  if (!begun || !(await useOneTimeCode(tx, begun, code.replace(/\s/g, ''), sealing))) return false
  await tx
    .update(secondFactors)
    .set({ confirmedAt: new Date(sealing.now) })
    .where(eq(secondFactors.id, id))
  return true
}

/** RFC 4226, section 4: at least 128 bits, better 160. */
const SECRET_BYTES = 20
/** As every app on a telephone expects it (RFC 6238). */
const TOTP_TERMS = { algorithm: 'SHA1', digits: 6, period: 30 } as const

/** What the code on screen says to a telephone. */
export function totpUri(secret: string, email: string): string {
  return new TOTP({ issuer: 'Intag', label: email, secret: Secret.fromBase32(secret), ...TOTP_TERMS }).toString()
}

/**
 * A code of now, or of half a minute before or after, whose time step was never used (RFC 6238, 5.2). One statement decides,
 * so that of two who send the same code at once, one is let in.
 */
export async function useOneTimeCode(
  db: Db,
  { id, sealedKey }: Pick<typeof secondFactors.$inferSelect, 'id' | 'sealedKey'>,
  code: string,
  { seal, now }: Sealing,
): Promise<boolean> {
  const secret = seal.open(sealedKey, placeOf.secondFactor(id))
  if (secret === null) return false
  const delta = TOTP.validate({
    token: code,
    secret: Secret.fromBase32(secret),
    ...TOTP_TERMS,
    timestamp: now,
    window: 1,
  })
  if (delta === null) return false
  const step = Math.floor(now / (TOTP_TERMS.period * 1000)) + delta
  const used = await db
    .update(secondFactors)
    .set({ counter: step, lastUsedAt: new Date(now) })
    .where(and(eq(secondFactors.id, id), lt(secondFactors.counter, step)))
    .returning({ id: secondFactors.id })
  return used.length > 0
}
