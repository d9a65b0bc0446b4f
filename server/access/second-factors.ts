import 'server-only'
import { createHash, randomInt, randomUUID } from 'node:crypto'
import { and, asc, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import { Secret as SharedSecret, TOTP } from 'otpauth'
import { secondFactors } from '@/server/base/access-schema'
import type { Db } from '@/server/base/database'
import { ConflictError, InvalidInputError, NotFoundError } from '@/server/base/errors'
import { users as usersTable } from '@/server/base/schema'
import { sealContext } from '@/server/base/seal-context'
import type { Services } from '@/server/base/services'
import { executeAccessCommand, executeCommand } from './command'
import { requireOwnPassword } from './passwords'
import { secretAttemptKey } from './throttle'
import type { Admin, Viewer } from './viewer'

type StoredFactor = typeof secondFactors.$inferSelect

/** Lists the user's authenticator apps. An app that was never confirmed is left out and never asked for. */
export async function listConfirmedFactors(db: Db, userId: string): Promise<StoredFactor[]> {
  return db.select().from(secondFactors).where(whereConfirmed(userId)).orderBy(asc(secondFactors.createdAt))
}

function whereConfirmed(userId: string) {
  return and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt))
}

/** Throws `TooManyTriesError` after wrong codes, at sign-in and in sessions; a correct password resets nothing. */
export async function checkFactor(services: Services, userId: string, code: string | undefined) {
  const db = await services.connect()
  const factors = await listConfirmedFactors(db, userId)
  if (factors.length === 0) return 'none'
  if (code === undefined || code.trim() === '') return 'needed'
  const key = secretAttemptKey(userId, 'factor')
  await services.throttle.countTry(key)
  const digits = removeSeparators(code)
  let outcome: 'wrong' | 'totp' | 'recovery-code' = 'wrong'
  if (/^\d{6}$/.test(digits)) {
    for (const factor of factors)
      if (outcome === 'wrong' && (await spendOneTimeCode(services, db, factor, digits))) outcome = 'totp'
  } else {
    const hash = hashRecoveryCode(userId, code)
    // One statement checks and removes the code, so that only one of two simultaneous tries succeeds.
    const spent = await db
      .update(usersTable)
      .set({ recoveryCodes: sql`array_remove(${usersTable.recoveryCodes}, ${hash})` })
      .where(and(eq(usersTable.id, userId), sql`${hash} = any(${usersTable.recoveryCodes})`))
      .returning({ id: usersTable.id })
    if (spent.length > 0) outcome = 'recovery-code'
  }
  if (outcome !== 'wrong') await services.throttle.recordSuccess(key)
  return outcome
}

function removeSeparators(code: string): string {
  return code.replace(/[\s-]/g, '')
}

export async function listOwnFactors({ connect, users }: Services, viewer: Viewer) {
  const confirmed = await listConfirmedFactors(await connect(), viewer.id)
  const factors = confirmed.map(({ id, name, createdAt, lastUsedAt }) => {
    return { id, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null }
  })
  return { factors, recoveryCodesLeft: (await users.find(viewer.id))?.recoveryCodes.length ?? 0 }
}

const TOTP_OPTIONS = { algorithm: 'SHA1', digits: 6, period: 30 } as const

/** Starts the setup of an app. Sign-in does not ask for it before `confirmTotp`. */
export async function beginTotp(services: Services, viewer: Viewer, { name }: { name: string }) {
  await requireOwnPassword(services, viewer)
  const id = randomUUID()
  // RFC 4226, section 4, requires 128 bits and recommends 160.
  const secret = new SharedSecret({ size: 20 })
  const sealedKey = services.seal.encrypt(secret.base32, sealContext.secondFactor(id))
  return executeCommand(services, viewer, 'signed-in', async (tx, log) => {
    const isUnconfirmed = and(eq(secondFactors.userId, viewer.id), isNull(secondFactors.confirmedAt))
    await tx.delete(secondFactors).where(isUnconfirmed)
    const factor = { id, userId: viewer.id, name, sealedKey, createdAt: new Date(services.now()) }
    await tx.insert(secondFactors).values(factor)
    log.skip()
    const uri = new TOTP({ issuer: 'Intag', label: viewer.email, secret, ...TOTP_OPTIONS }).toString()
    return { id, secret: secret.base32, uri }
  })
}

/** Confirms an app by its first code. This is announced, because it can give the session full access. */
export async function confirmTotp(services: Services, viewer: Viewer, { id, code }: { id: string; code: string }) {
  await requireOwnPassword(services, viewer)
  return executeAccessCommand(services, viewer, 'signed-in', viewer.id, async (tx, log) => {
    const isFirst = (await listConfirmedFactors(tx, viewer.id)).length === 0
    const isThisFactor = and(
      eq(secondFactors.id, id),
      eq(secondFactors.userId, viewer.id),
      isNull(secondFactors.confirmedAt),
    )
    const [factor] = await tx.select().from(secondFactors).where(isThisFactor)
    if (!factor || !(await spendOneTimeCode(services, tx, factor, removeSeparators(code))))
      throw new InvalidInputError('code', 'wrong')
    const set = { confirmedAt: new Date(services.now()) }
    await tx.update(secondFactors).set(set).where(isThisFactor)
    await services.throttle.reset(tx, secretAttemptKey(viewer.id, 'factor'))
    await log({ action: 'second-factor-added' })
    return { recoveryCodes: isFirst ? await makeRecoveryCodes(tx, viewer.id) : null }
  })
}

/** Removes an app, and the recovery codes with the last one. */
export async function removeOwnFactor(services: Services, viewer: Viewer, { id }: { id: string }): Promise<void> {
  await executeAccessCommand(services, viewer, 'signed-in', viewer.id, async (tx, log) => {
    const isThisFactor = and(whereConfirmed(viewer.id), eq(secondFactors.id, id))
    if ((await tx.delete(secondFactors).where(isThisFactor).returning()).length === 0) throw new NotFoundError()
    if ((await listConfirmedFactors(tx, viewer.id)).length === 0) await storeRecoveryCodes(tx, viewer.id, [])
    await log({ action: 'second-factor-removed' })
  })
}

export function removeUserFactors(services: Services, viewer: Admin, { id: userId }: { id: string }) {
  return executeAccessCommand(services, viewer, 'admin', userId, async (tx, log) => {
    if (!(await services.users.find(userId, tx))) throw new NotFoundError()
    const removed = await tx.delete(secondFactors).where(eq(secondFactors.userId, userId)).returning()
    const count = removed.filter(({ confirmedAt }) => confirmedAt !== null).length
    await storeRecoveryCodes(tx, userId, [])
    await services.throttle.reset(tx, secretAttemptKey(userId, 'factor'))
    await log({ action: 'second-factor-removed', details: { user: userId, count } })
    return { count }
  })
}

export function renewRecoveryCodes(services: Services, viewer: Viewer) {
  return executeCommand(services, viewer, 'signed-in', async (tx, log) => {
    if ((await listConfirmedFactors(tx, viewer.id)).length === 0) throw new ConflictError('There is no second factor')
    await log({ action: 'recovery-codes-made' })
    return { recoveryCodes: await makeRecoveryCodes(tx, viewer.id) }
  })
}

/** A code is valid once (RFC 6238, 5.2). One statement decides, so that only one of two simultaneous tries succeeds. */
async function spendOneTimeCode({ seal, now }: Services, db: Db, { id, sealedKey }: StoredFactor, token: string) {
  const secretText = seal.decrypt(sealedKey, sealContext.secondFactor(id))
  if (secretText === null) return false
  const nowMs = now()
  const secret = SharedSecret.fromBase32(secretText)
  const delta = TOTP.validate({ token, secret, ...TOTP_OPTIONS, timestamp: nowMs, window: 1 })
  if (delta === null) return false
  const counter = Math.floor(nowMs / (TOTP_OPTIONS.period * 1000)) + delta
  const used = await db
    .update(secondFactors)
    .set({ counter, lastUsedAt: new Date(nowMs) })
    .where(and(eq(secondFactors.id, id), lt(secondFactors.counter, counter)))
    .returning({ id: secondFactors.id })
  return used.length > 0
}

/** Crockford's 32 symbols are hard to confuse; 28 of them hold 140 bits (ASVS 5.0, 11.5.1 asks for 128). */
const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Replaces all recovery codes by ten new ones, of which only hashes are stored. */
async function makeRecoveryCodes(tx: Db, userId: string): Promise<string[]> {
  const makeGroup = () => Array.from({ length: 4 }, () => SYMBOLS[randomInt(SYMBOLS.length)]).join('')
  const codes = Array.from({ length: 10 }, () => Array.from({ length: 7 }, makeGroup).join('-'))
  const hashes = codes.map((code) => hashRecoveryCode(userId, code))
  await storeRecoveryCodes(tx, userId, hashes)
  return codes
}

async function storeRecoveryCodes(tx: Db, userId: string, hashes: string[]): Promise<void> {
  await tx.update(usersTable).set({ recoveryCodes: hashes }).where(eq(usersTable.id, userId))
}

/** A plain hash suffices for codes of more than 112 bits (NIST SP 800-63B-4, 3.1.2.2; ASVS 5.0, 6.5.2). */
function hashRecoveryCode(userId: string, code: string): string {
  const plain = removeSeparators(code.toUpperCase()).replaceAll('O', '0').replace(/[IL]/g, '1')
  return createHash('sha256').update(`${userId} ${plain}`).digest('hex')
}
