import 'server-only'
import { createHash, randomInt } from 'node:crypto'
import { and, count, eq, isNull } from 'drizzle-orm'
import { recoveryCodes } from '@/server/db/access-schema'
import type { Db } from '@/server/db/database'

/** Within a transaction: ten new ones, which exist nowhere else afterwards; those before are worth nothing. */
export async function makeRecoveryCodes(tx: Db, userId: string): Promise<string[]> {
  await dropRecoveryCodes(tx, userId)
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ userId, codeHash: hashOf(userId, code) })))
  return codes
}

export async function dropRecoveryCodes(tx: Db, userId: string): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const [left] = await db
    .select({ count: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)))
  return left?.count ?? 0
}

/** Whether it is one of the person's that was never used; it is used up. */
export async function useRecoveryCode(db: Db, userId: string, code: string, now: number): Promise<boolean> {
  const used = await db
    .update(recoveryCodes)
    .set({ usedAt: new Date(now) })
    .where(
      and(
        eq(recoveryCodes.userId, userId),
        eq(recoveryCodes.codeHash, hashOf(userId, code)),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ codeHash: recoveryCodes.codeHash })
  return used.length > 0
}

const RECOVERY_CODES = 10
const RECOVERY_LENGTH = 28
/** Crockford's 32 signs: none is easily taken for another. 28 of them are 140 bits (ASVS 5.0, 11.5.1 asks for 128). */
const SIGNS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

function newRecoveryCode(): string {
  const signs = Array.from({ length: RECOVERY_LENGTH }, () => SIGNS[randomInt(SIGNS.length)]).join('')
  return signs.replace(/(.{4})(?=.)/g, '$1-')
}

/** Of 112 bits or more nobody can try them all, so a plain hash is enough (NIST SP 800-63B-4, 3.1.2.2; ASVS 5.0, 6.5.2). */
function hashOf(userId: string, code: string): string {
  const plain = code.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  return createHash('sha256').update(`${userId} ${plain}`).digest('hex')
}
