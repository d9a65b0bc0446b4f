import 'server-only'
import { createHash, randomInt, randomUUID } from 'node:crypto'
import { and, asc, eq, isNotNull, isNull, lt } from 'drizzle-orm'
import { Secret as SharedSecret, TOTP } from 'otpauth'
import { recoveryCodes, secondFactors } from '@/server/base/access-schema'
import type { Connect, Db } from '@/server/base/database'
import { placeOf } from '@/server/base/sealed-columns'
import type { Seal } from '@/server/base/seal'
import type { Secret } from './throttle'

type StoredFactor = typeof secondFactors.$inferSelect
export type SecondFactors = ReturnType<typeof createSecondFactors>
export type FactorOutcome = 'none' | 'needed' | 'wrong' | 'totp' | 'recovery-code'

type Parts = { connect: Connect; now: () => number; seal: Seal }

/** Authenticator apps and recovery codes. A factor that was never confirmed is never asked for. */
export function createSecondFactors(parts: Parts) {
  const { connect, now } = parts
  const isConfirmed = (userId: string) => and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt))
  const list = async (userId: string, tx?: Db): Promise<StoredFactor[]> =>
    (tx ?? (await connect()))
      .select()
      .from(secondFactors)
      .where(isConfirmed(userId))
      .orderBy(asc(secondFactors.createdAt))
  return {
    list,
    async check(userId: string, code: string | undefined): Promise<FactorOutcome> {
      const factors = await list(userId)
      if (factors.length === 0) return 'none'
      const secret = secretOf(code)
      if (code === undefined || secret === null) return 'needed'
      const db = await connect()
      if (secret !== 'totp') return (await useRecoveryCode(db, userId, code, now())) ? 'recovery-code' : 'wrong'
      for (const factor of factors) {
        if (await useOneTimeCode(parts, db, factor, digitsOf(code))) return 'totp'
      }
      return 'wrong'
    },
    beginTotp: (tx: Db, userId: string, name: string) => beginTotp(parts, tx, userId, name),
    confirmTotp: (tx: Db, userId: string, given: { id: string; code: string }) => confirmTotp(parts, tx, userId, given),
    /** Within a transaction: whether there was one. Removing the last one deletes the recovery codes. */
    async remove(tx: Db, userId: string, id: string): Promise<boolean> {
      const isFactor = and(isConfirmed(userId), eq(secondFactors.id, id))
      const gone = await tx.delete(secondFactors).where(isFactor).returning({ id: secondFactors.id })
      if ((await list(userId, tx)).length === 0) await deleteRecoveryCodes(tx, userId)
      return gone.length > 0
    },
    async removeAll(tx: Db, userId: string): Promise<number> {
      const gone = await tx.delete(secondFactors).where(eq(secondFactors.userId, userId)).returning()
      await deleteRecoveryCodes(tx, userId)
      return gone.filter(({ confirmedAt }) => confirmedAt !== null).length
    },
    makeRecoveryCodes,
    recoveryCodesLeft: async (userId: string): Promise<number> =>
      (await connect()).$count(recoveryCodes, isUnused(userId)),
  }
}

export function secretOf(code: string | undefined): Exclude<Secret, 'password'> | null {
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
  const sealedKey = seal.encrypt(secret, placeOf.secondFactor(id))
  await tx.insert(secondFactors).values({ id, userId, name, sealedKey, createdAt: new Date(now()) })
  return { id, secret }
}

async function confirmTotp(parts: Parts, tx: Db, userId: string, { id, code }: { id: string; code: string }) {
  const isUnconfirmed = and(
    eq(secondFactors.id, id),
    eq(secondFactors.userId, userId),
    isNull(secondFactors.confirmedAt),
  )
  const [factor] = await tx.select().from(secondFactors).where(isUnconfirmed)
  if (!factor || !(await useOneTimeCode(parts, tx, factor, code.replace(/\s/g, '')))) return false
  const confirmedAt = new Date(parts.now())
  await tx.update(secondFactors).set({ confirmedAt }).where(isUnconfirmed)
  return true
}

export function totpUri(secret: string, email: string): string {
  const terms = { issuer: 'Intag', label: email, secret: SharedSecret.fromBase32(secret), ...TOTP_TERMS }
  return new TOTP(terms).toString()
}

/** RFC 6238, 5.2. A single statement decides, so that of two equal codes at once one is accepted. */
async function useOneTimeCode({ seal, now }: Parts, db: Db, { id, sealedKey }: StoredFactor, token: string) {
  const opened = seal.decrypt(sealedKey, placeOf.secondFactor(id))
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
/** Crockford's 32 symbols are not easily confused; 28 of them are 140 bits (ASVS 5.0, 11.5.1 asks for 128). */
const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Within a transaction: ten new codes, stored only as hashes, replace those before. */
async function makeRecoveryCodes(tx: Db, userId: string): Promise<string[]> {
  await deleteRecoveryCodes(tx, userId)
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: RECOVERY_LENGTH }, () => SYMBOLS[randomInt(SYMBOLS.length)])
      .join('')
      .replace(/(.{4})(?=.)/g, '$1-'),
  )
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ userId, codeHash: hashOf(userId, code) })))
  return codes
}

async function deleteRecoveryCodes(tx: Db, userId: string): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
}

function isUnused(userId: string) {
  return and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt))
}

async function useRecoveryCode(db: Db, userId: string, code: string, now: number): Promise<boolean> {
  const used = await db
    .update(recoveryCodes)
    .set({ usedAt: new Date(now) })
    .where(and(isUnused(userId), eq(recoveryCodes.codeHash, hashOf(userId, code))))
    .returning({ codeHash: recoveryCodes.codeHash })
  return used.length > 0
}

/** Not guessable with 112 bits or more, so a plain hash is enough (NIST SP 800-63B-4, 3.1.2.2; ASVS 5.0, 6.5.2). */
function hashOf(userId: string, code: string): string {
  const plain = digitsOf(code.toUpperCase()).replaceAll('O', '0').replace(/[IL]/g, '1')
  return createHash('sha256').update(`${userId} ${plain}`).digest('hex')
}
