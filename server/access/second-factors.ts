import 'server-only'
import { and, asc, eq, isNotNull } from 'drizzle-orm'
import { secondFactors } from '@/server/db/access-schema'
import type { Connect, Db } from '@/server/db/database'
import type { Seal } from '@/server/seal'
import { beginTotp, confirmTotp, useOneTimeCode } from './one-time-codes'
import type { GivenAssertion, Passkeys } from './passkeys'
import { countRecoveryCodes, dropRecoveryCodes, makeRecoveryCodes, useRecoveryCode } from './recovery-codes'
import type { Secret } from './secret-counters'

export type StoredFactor = typeof secondFactors.$inferSelect
export type SecondFactors = ReturnType<typeof createSecondFactors>
/** What somebody gives besides the password: six digits or a recovery code, or what a passkey signed. */
export type GivenFactor = { code?: string | undefined; assertion?: GivenAssertion | null }
export type FactorOutcome = 'none' | 'needed' | 'wrong' | 'totp' | 'recovery-code' | 'passkey'

type Parts = {
  connect: Connect
  now: () => number
  seal: Seal
  passkeys: Pick<Passkeys, 'verify'>
}

/** What people prove who they are with besides a password. Those that were never confirmed are asked of nobody. */
export function createSecondFactors({ connect, now, seal, passkeys }: Parts) {
  const sealing = () => ({ seal, now: now() })
  const confirmed = (userId: string) => and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt))
  const list = async (userId: string, tx?: Db): Promise<StoredFactor[]> =>
    (tx ?? (await connect()))
      .select()
      .from(secondFactors)
      .where(confirmed(userId))
      .orderBy(asc(secondFactors.createdAt))

  return {
    list,
    /** Whether what was given is this person's: `none` when they have no factor, `needed` when nothing was given. */
    async check(userId: string, { code, assertion }: GivenFactor): Promise<FactorOutcome> {
      const factors = await list(userId)
      if (factors.length === 0) return 'none'
      if (assertion) return (await passkeys.verify(assertion)) === userId ? 'passkey' : 'wrong'
      const secret = secretGiven({ code })
      if (code === undefined || secret === null) return 'needed'
      const db = await connect()
      if (secret !== 'totp') return (await useRecoveryCode(db, userId, code, now())) ? 'recovery-code' : 'wrong'
      for (const factor of factors) {
        if (factor.type === 'totp' && (await useOneTimeCode(db, factor, digitsOf(code), sealing()))) return 'totp'
      }
      return 'wrong'
    },
    /** Within a transaction: a shared secret for a telephone, which counts once a code of it was right. */
    beginTotp: (tx: Db, userId: string, name: string) => beginTotp(tx, userId, name, sealing()),
    /** Within a transaction: whether the code is one of the secret that was begun. */
    confirmTotp: (tx: Db, userId: string, given: { id: string; code: string }) =>
      confirmTotp(tx, userId, given, sealing()),
    /** Within a transaction: whether there was one. With the last one the recovery codes go too. */
    async remove(tx: Db, userId: string, id: string): Promise<boolean> {
      const gone = await tx
        .delete(secondFactors)
        .where(and(confirmed(userId), eq(secondFactors.id, id)))
        .returning({ id: secondFactors.id })
      if ((await list(userId, tx)).length === 0) await dropRecoveryCodes(tx, userId)
      return gone.length > 0
    },
    /** Within a transaction: all of a person, as when the telephone is gone; how many. */
    async removeAll(tx: Db, userId: string): Promise<number> {
      const gone = await tx.delete(secondFactors).where(eq(secondFactors.userId, userId)).returning()
      await dropRecoveryCodes(tx, userId)
      return gone.filter(({ confirmedAt }) => confirmedAt !== null).length
    },
    makeRecoveryCodes,
    recoveryCodesLeft: async (userId: string) => countRecoveryCodes(await connect(), userId),
  }
}

/** Which of somebody's secrets this may be; null when nothing was given. */
export function secretGiven({ code, assertion }: GivenFactor): Exclude<Secret, 'password'> | null {
  if (assertion) return 'passkey'
  if (code === undefined || code.trim() === '') return null
  return /^\d{6}$/.test(digitsOf(code)) ? 'totp' : 'recovery-code'
}

function digitsOf(code: string): string {
  return code.replace(/[\s-]/g, '')
}
