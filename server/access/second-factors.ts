import 'server-only'
import { createHash, randomInt, randomUUID } from 'node:crypto'
import { and, asc, eq, isNotNull, isNull, lt } from 'drizzle-orm'
import { Secret as SharedSecret, TOTP } from 'otpauth'
import { recoveryCodes, secondFactors } from '@/server/db/access-schema'
import type { Connect, Db } from '@/server/db/database'
import { placeOf } from '@/server/db/sealed-columns'
import type { Seal } from '@/server/seal'
import type { GivenAssertion, Passkeys } from './passkeys'
import type { Secret } from './throttle'

export type StoredFactor = typeof secondFactors.$inferSelect
export type SecondFactors = ReturnType<typeof createSecondFactors>
export type GivenFactor = { code?: string | undefined; assertion?: GivenAssertion | null }
export type FactorOutcome = 'none' | 'needed' | 'wrong' | 'totp' | 'recovery-code' | 'passkey'

type Parts = { connect: Connect; now: () => number; seal: Seal; passkeys: Pick<Passkeys, 'verify'> }

/** What people prove who they are with besides a password. One that was never confirmed is asked of nobody. */
export function createSecondFactors(parts: Parts) {
  const { connect, now, passkeys } = parts
  const confirmed = (userId: string) => and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt))
  const list = async (userId: string, tx?: Db): Promise<StoredFactor[]> =>
    (tx ?? (await connect()))
      .select()
      .from(secondFactors)
      .where(confirmed(userId))
      .orderBy(asc(secondFactors.createdAt))
  return {
    list,
    /** `none` when the person has no factor, `needed` when nothing was given. */
    async check(userId: string, { code, assertion }: GivenFactor): Promise<FactorOutcome> {
      const factors = await list(userId)
      if (factors.length === 0) return 'none'
      if (assertion) return (await passkeys.verify(assertion)) === userId ? 'passkey' : 'wrong'
      const secret = secretGiven({ code })
      if (code === undefined || secret === null) return 'needed'
      const db = await connect()
      if (secret !== 'totp') return (await useRecoveryCode(db, userId, code, now())) ? 'recovery-code' : 'wrong'
      for (const factor of factors) {
        if (factor.type === 'totp' && (await useOneTimeCode(parts, db, factor, digitsOf(code)))) return 'totp'
      }
      return 'wrong'
    },
    beginTotp: (tx: Db, userId: string, name: string) => beginTotp(parts, tx, userId, name),
    confirmTotp: (tx: Db, userId: string, given: { id: string; code: string }) => confirmTotp(parts, tx, userId, given),
    /** Within a transaction: whether there was one. With the last one the recovery codes go. */
    async remove(tx: Db, userId: string, id: string): Promise<boolean> {
      const its = and(confirmed(userId), eq(secondFactors.id, id))
      const gone = await tx.delete(secondFactors).where(its).returning({ id: secondFactors.id })
      if ((await list(userId, tx)).length === 0) await dropRecoveryCodes(tx, userId)
      return gone.length > 0
    },
    async removeAll(tx: Db, userId: string): Promise<number> {
      const gone = await tx.delete(secondFactors).where(eq(secondFactors.userId, userId)).returning()
      await dropRecoveryCodes(tx, userId)
      return gone.filter(({ confirmedAt }) => confirmedAt !== null).length
    },
    makeRecoveryCodes,
    recoveryCodesLeft: async (userId: string): Promise<number> =>
      (await connect()).$count(recoveryCodes, unused(userId)),
  }
}

export function secretGiven({ code, assertion }: GivenFactor): Exclude<Secret, 'password'> | null {
  if (assertion) return 'passkey'
  if (code === undefined || code.trim() === '') return null
  return /^\d{6}$/.test(digitsOf(code)) ? 'totp' : 'recovery-code'
}

function digitsOf(code: string): string {
  return code.replace(/[\s-]/g, '')
}

/** RFC 4226, section 4: at least 128 bits, better 160. */
const SECRET_BYTES = 20
const TOTP_TERMS = { algorithm: 'SHA1', digits: 6, period: 30 } as const

async function beginTotp({ seal, now }: Parts, tx: Db, userId: string, name: string) {
  await tx.delete(secondFactors).where(and(eq(secondFactors.userId, userId), isNull(secondFactors.confirmedAt)))
  const id = randomUUID()
  const secret = new SharedSecret({ size: SECRET_BYTES }).base32
  const sealedKey = seal.close(secret, placeOf.secondFactor(id))
  await tx.insert(secondFactors).values({ id, userId, type: 'totp', name, sealedKey, createdAt: new Date(now()) })
  return { id, secret }
}

async function confirmTotp(parts: Parts, tx: Db, userId: string, { id, code }: { id: string; code: string }) {
  const its = and(eq(secondFactors.id, id), eq(secondFactors.userId, userId), isNull(secondFactors.confirmedAt))
  const [begun] = await tx.select().from(secondFactors).where(its)
  if (!begun || !(await useOneTimeCode(parts, tx, begun, code.replace(/\s/g, '')))) return false
  await tx
    .update(secondFactors)
    .set({ confirmedAt: new Date(parts.now()) })
    .where(its)
  return true
}

export function totpUri(secret: string, email: string): string {
  const terms = { issuer: 'Intag', label: email, secret: SharedSecret.fromBase32(secret), ...TOTP_TERMS }
  return new TOTP(terms).toString()
}

/** RFC 6238, 5.2. One statement decides, so that of two equal codes at once one counts. */
async function useOneTimeCode({ seal, now }: Parts, db: Db, { id, sealedKey }: StoredFactor, token: string) {
  const opened = seal.open(sealedKey, placeOf.secondFactor(id))
  if (opened === null) return false
  const at = now()
  const secret = SharedSecret.fromBase32(opened)
  const delta = TOTP.validate({ token, secret, ...TOTP_TERMS, timestamp: at, window: 1 })
  if (delta === null) return false
  const counter = Math.floor(at / (TOTP_TERMS.period * 1000)) + delta
  const used = await db
    .update(secondFactors)
    .set({ counter, lastUsedAt: new Date(at) })
    .where(and(eq(secondFactors.id, id), lt(secondFactors.counter, counter)))
    .returning({ id: secondFactors.id })
  return used.length > 0
}

const RECOVERY_CODES = 10
const RECOVERY_LENGTH = 28
/** Crockford's 32 signs are not easily confused. 28 of them are 140 bits (ASVS 5.0, 11.5.1 asks for 128). */
const SIGNS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Within a transaction: ten new ones, stored nowhere in the clear; those before are worth nothing. */
async function makeRecoveryCodes(tx: Db, userId: string): Promise<string[]> {
  await dropRecoveryCodes(tx, userId)
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: RECOVERY_LENGTH }, () => SIGNS[randomInt(SIGNS.length)])
      .join('')
      .replace(/(.{4})(?=.)/g, '$1-'),
  )
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ userId, codeHash: hashOf(userId, code) })))
  return codes
}

async function dropRecoveryCodes(tx: Db, userId: string): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
}

function unused(userId: string) {
  return and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt))
}

async function useRecoveryCode(db: Db, userId: string, code: string, now: number): Promise<boolean> {
  const used = await db
    .update(recoveryCodes)
    .set({ usedAt: new Date(now) })
    .where(and(unused(userId), eq(recoveryCodes.codeHash, hashOf(userId, code))))
    .returning({ codeHash: recoveryCodes.codeHash })
  return used.length > 0
}

/** Nobody can try 112 bits or more, so a plain hash is enough (NIST SP 800-63B-4, 3.1.2.2; ASVS 5.0, 6.5.2). */
function hashOf(userId: string, code: string): string {
  const plain = digitsOf(code.toUpperCase()).replaceAll('O', '0').replace(/[IL]/g, '1')
  return createHash('sha256').update(`${userId} ${plain}`).digest('hex')
}
