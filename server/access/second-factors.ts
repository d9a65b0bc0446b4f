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
export async function listConfirmedFactors(db: Db, userId: string) {
  return db.select().from(secondFactors).where(confirmedFactorsOf(userId)).orderBy(asc(secondFactors.createdAt))
}

function confirmedFactorsOf(userId: string) {
  return and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt))
}

/** Throws `TooManyTriesError` after wrong codes, at sign-in and in sessions; a correct password resets nothing. */
export async function checkFactor(services: Services, userId: string, code = '') {
  const db = await services.connect()
  const factors = await listConfirmedFactors(db, userId)
  if (factors.length === 0) return 'none'
  if (code.trim() === '') return 'needed'
  const spendCode = async () => {
    const token = removeSeparators(code)
    if (!/^\d{6}$/.test(token)) return (await spendRecoveryCode(db, userId, code)) ? 'recovery-code' : 'wrong'
    for (const factor of factors) if (await spendOneTimeCode(services, db, factor, token)) return 'totp'
    return 'wrong'
  }
  const key = secretAttemptKey(userId, 'factor')
  await services.throttle.countTry(key)
  const outcome = await spendCode()
  if (outcome !== 'wrong') await services.throttle.recordSuccess(key)
  return outcome
}

function removeSeparators(code: string) {
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
    const unconfirmed = and(eq(secondFactors.userId, viewer.id), isNull(secondFactors.confirmedAt))
    await tx.delete(secondFactors).where(unconfirmed)
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
  const { id: userId } = viewer
  return executeAccessCommand(services, viewer, 'signed-in', userId, async (tx, log) => {
    const isFirst = (await listConfirmedFactors(tx, userId)).length === 0
    const own = and(eq(secondFactors.id, id), eq(secondFactors.userId, userId))
    const unconfirmed = and(own, isNull(secondFactors.confirmedAt))
    const [factor] = await tx.select().from(secondFactors).where(unconfirmed)
    if (!factor || !(await spendOneTimeCode(services, tx, factor, removeSeparators(code))))
      throw new InvalidInputError('code', 'wrong')
    const set = { confirmedAt: new Date(services.now()) }
    await tx.update(secondFactors).set(set).where(unconfirmed)
    await services.throttle.reset(tx, secretAttemptKey(userId, 'factor'))
    await log({ action: 'second-factor-added' })
    return { recoveryCodes: isFirst ? await makeRecoveryCodes(tx, userId) : null }
  })
}

/** Removes an app, and the recovery codes with the last one. */
export async function removeOwnFactor(services: Services, viewer: Viewer, { id }: { id: string }) {
  await executeAccessCommand(services, viewer, 'signed-in', viewer.id, async (tx, log) => {
    const thisFactor = and(confirmedFactorsOf(viewer.id), eq(secondFactors.id, id))
    if ((await tx.delete(secondFactors).where(thisFactor).returning()).length === 0) throw new NotFoundError()
    if ((await listConfirmedFactors(tx, viewer.id)).length === 0) await deleteRecoveryCodes(tx, viewer.id)
    await log({ action: 'second-factor-removed' })
  })
}

export function removeUserFactors(services: Services, viewer: Admin, { id: userId }: { id: string }) {
  return executeAccessCommand(services, viewer, 'admin', userId, async (tx, log) => {
    await services.users.get(tx, userId)
    const removed = await tx.delete(secondFactors).where(eq(secondFactors.userId, userId)).returning()
    const count = removed.filter(({ confirmedAt }) => confirmedAt !== null).length
    await deleteRecoveryCodes(tx, userId)
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
  // Clocks differ, so the code of the step before or after is valid, too.
  const delta = TOTP.validate({ token, secret, ...TOTP_OPTIONS, timestamp: nowMs, window: 1 })
  if (delta === null) return false
  const counter = TOTP.counter({ period: TOTP_OPTIONS.period, timestamp: nowMs }) + delta
  const used = await db
    .update(secondFactors)
    .set({ counter, lastUsedAt: new Date(nowMs) })
    .where(and(eq(secondFactors.id, id), lt(secondFactors.counter, counter)))
    .returning({ id: secondFactors.id })
  return used.length > 0
}

/** Crockford's 32 symbols are hard to confuse; 28 of them hold 140 bits (ASVS 5.0, 11.5.1 asks for 128). */
const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const RECOVERY_CODES = 10

/** Replaces all recovery codes of the user by new ones, of which only hashes are stored. */
async function makeRecoveryCodes(tx: Db, userId: string) {
  const makeGroup = () => Array.from({ length: 4 }, () => SYMBOLS[randomInt(SYMBOLS.length)]).join('')
  const codes = Array.from({ length: RECOVERY_CODES }, () => Array.from({ length: 7 }, makeGroup).join('-'))
  const recoveryCodes = codes.map((code) => hashCode(userId, code))
  await tx.update(usersTable).set({ recoveryCodes }).where(eq(usersTable.id, userId))
  return codes
}

async function deleteRecoveryCodes(tx: Db, userId: string) {
  await tx.update(usersTable).set({ recoveryCodes: [] }).where(eq(usersTable.id, userId))
}

/** One statement decides, so that only one of two simultaneous tries succeeds. */
async function spendRecoveryCode(db: Db, userId: string, code: string) {
  const hash = hashCode(userId, code)
  const spent = await db
    .update(usersTable)
    .set({ recoveryCodes: sql`array_remove(${usersTable.recoveryCodes}, ${hash})` })
    .where(and(eq(usersTable.id, userId), sql`${hash} = any(${usersTable.recoveryCodes})`))
    .returning({ id: usersTable.id })
  return spent.length > 0
}

/** A plain hash suffices for codes of more than 112 bits (NIST SP 800-63B-4, 3.1.2.2; ASVS 5.0, 6.5.2). */
function hashCode(userId: string, code: string) {
  const plain = removeSeparators(code.toUpperCase()).replaceAll('O', '0').replace(/[IL]/g, '1')
  return createHash('sha256').update(`${userId} ${plain}`).digest('hex')
}
