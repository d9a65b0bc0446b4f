import { createHash, randomInt } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '@/server/base/database'
import { users } from '@/server/base/schema'

const CODE_COUNT = 10
/** Crockford's 32 symbols are hard to confuse. The 28 of a code hold 140 bits; ASVS 5.0, 11.5.1, demands 128. */
const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export async function makeRecoveryCodes(tx: Db, userId: string) {
  const makeGroup = () => Array.from({ length: 4 }, () => SYMBOLS[randomInt(SYMBOLS.length)]).join('')
  const codes = Array.from({ length: CODE_COUNT }, () => Array.from({ length: 7 }, makeGroup).join('-'))
  const recoveryCodes = codes.map((code) => hashCode(userId, code))
  await tx.update(users).set({ recoveryCodes }).where(eq(users.id, userId))
  return codes
}

export async function deleteRecoveryCodes(tx: Db, userId: string) {
  await tx.update(users).set({ recoveryCodes: [] }).where(eq(users.id, userId))
}

/** Returns whether the code was unused. One statement decides, so only one of two simultaneous tries succeeds. */
export async function spendRecoveryCode(db: Db, userId: string, code: string) {
  const hash = hashCode(userId, code)
  const updatedRows = await db
    .update(users)
    .set({ recoveryCodes: sql`array_remove(${users.recoveryCodes}, ${hash})` })
    .where(and(eq(users.id, userId), sql`${hash} = any(${users.recoveryCodes})`))
    .returning({ id: users.id })
  return updatedRows.length > 0
}

/** A plain hash suffices for codes of more than 112 bits (NIST SP 800-63B-4, 3.1.2.2; ASVS 5.0, 6.5.2). */
function hashCode(userId: string, code: string) {
  const plainCode = removeSeparators(code.toUpperCase()).replaceAll('O', '0').replace(/[IL]/g, '1')
  return createHash('sha256').update(`${userId} ${plainCode}`).digest('hex')
}

export function removeSeparators(code: string) {
  return code.replace(/[\s-]/g, '')
}
