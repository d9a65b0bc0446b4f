import { randomUUID } from 'node:crypto'
import { and, asc, eq, isNotNull, isNull, lt } from 'drizzle-orm'
import { Secret as SharedSecret, TOTP } from 'otpauth'
import { secondFactors } from '@/server/base/access-schema'
import type { Db } from '@/server/base/database'
import { ConflictError, InvalidInputError, NotFoundError } from '@/server/base/errors'
import { sealContext } from '@/server/base/seal-context'
import type { Services } from '@/server/base/services'
import { executeAccessCommand, executeCommand } from './command'
import { requireOwnPassword } from './own-password'
import { deleteRecoveryCodes, makeRecoveryCodes, removeSeparators, spendRecoveryCode } from './recovery-codes'
import { toSecretAttemptKey } from './throttle'
import type { Admin, Viewer } from './viewer'

type StoredFactor = typeof secondFactors.$inferSelect

/** Returns the kind of the code, or `none` without a factor. After too many wrong codes even a right one throws. */
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
  const key = toSecretAttemptKey(userId, 'factor')
  await services.throttle.countTry(key)
  const outcome = await spendCode()
  if (outcome !== 'wrong') await services.throttle.recordSuccess(key)
  return outcome
}

export async function listConfirmedFactors(db: Db, userId: string) {
  const confirmedCondition = and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt))
  return db.select().from(secondFactors).where(confirmedCondition).orderBy(asc(secondFactors.createdAt))
}

export async function listOwnFactors({ connect, users }: Services, viewer: Viewer) {
  const rows = await listConfirmedFactors(await connect(), viewer.id)
  const factors = rows.map(({ id, name, createdAt }) => ({ id, name, createdAt: createdAt.toISOString() }))
  return { factors, recoveryCodesLeft: (await users.find(viewer.id))?.recoveryCodes.length ?? 0 }
}

const TOTP_OPTIONS = { algorithm: 'SHA1', digits: 6, period: 30 } as const

/** Starts the setup of an app, for which sign-in does not ask before `confirmTotp`. */
export async function beginTotp(services: Services, viewer: Viewer, { name }: { name: string }) {
  await requireOwnPassword(services, viewer)
  const id = randomUUID()
  // RFC 4226, section 4, recommends 160 bits.
  const secret = new SharedSecret({ size: 20 })
  const sealedKey = services.seal.encrypt(secret.base32, sealContext.secondFactor(id))
  return executeCommand(services, viewer, 'signed-in', async (tx, log) => {
    const unconfirmedCondition = and(eq(secondFactors.userId, viewer.id), isNull(secondFactors.confirmedAt))
    await tx.delete(secondFactors).where(unconfirmedCondition)
    const factor = { id, userId: viewer.id, name, sealedKey, createdAt: new Date(services.now()) }
    await tx.insert(secondFactors).values(factor)
    log.skip()
    const uri = new TOTP({ issuer: 'Intag', label: viewer.email, secret, ...TOTP_OPTIONS }).toString()
    return { id, secret: secret.base32, uri }
  })
}

/** Confirms an app by a code. The first app comes with recovery codes, of which only hashes are stored. */
export async function confirmTotp(services: Services, viewer: Viewer, { id, code }: { id: string; code: string }) {
  await requireOwnPassword(services, viewer)
  const userId = viewer.id
  return executeAccessCommand(services, viewer, 'signed-in', userId, async (tx, log) => {
    const isFirst = (await listConfirmedFactors(tx, userId)).length === 0
    const ownCondition = and(eq(secondFactors.id, id), eq(secondFactors.userId, userId))
    const unconfirmedCondition = and(ownCondition, isNull(secondFactors.confirmedAt))
    const [factor] = await tx.select().from(secondFactors).where(unconfirmedCondition)
    if (!factor || !(await spendOneTimeCode(services, tx, factor, removeSeparators(code))))
      throw new InvalidInputError('code', 'wrong')
    await tx
      .update(secondFactors)
      .set({ confirmedAt: new Date(services.now()) })
      .where(unconfirmedCondition)
    await services.throttle.reset(tx, toSecretAttemptKey(userId, 'factor'))
    await log({ action: 'second-factor-added' })
    return { recoveryCodes: isFirst ? await makeRecoveryCodes(tx, userId) : null }
  })
}

export async function removeOwnFactor(services: Services, viewer: Viewer, { id }: { id: string }) {
  await executeAccessCommand(services, viewer, 'signed-in', viewer.id, async (tx, log) => {
    const ownCondition = and(eq(secondFactors.id, id), eq(secondFactors.userId, viewer.id))
    const [removedFactor] = await tx
      .delete(secondFactors)
      .where(and(ownCondition, isNotNull(secondFactors.confirmedAt)))
      .returning()
    if (!removedFactor) throw new NotFoundError()
    if ((await listConfirmedFactors(tx, viewer.id)).length === 0) await deleteRecoveryCodes(tx, viewer.id)
    await log({ action: 'second-factor-removed' })
  })
}

export function removeUserFactors(services: Services, viewer: Admin, { id: userId }: { id: string }) {
  return executeAccessCommand(services, viewer, 'admin', userId, async (tx, log) => {
    await services.users.get(tx, userId)
    const removedFactors = await tx.delete(secondFactors).where(eq(secondFactors.userId, userId)).returning()
    const count = removedFactors.filter(({ confirmedAt }) => confirmedAt !== null).length
    await deleteRecoveryCodes(tx, userId)
    await services.throttle.reset(tx, toSecretAttemptKey(userId, 'factor'))
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

/** Returns whether the code is valid. It is valid once (RFC 6238, 5.2), even in two simultaneous tries. */
async function spendOneTimeCode({ seal, now }: Services, db: Db, { id, sealedKey }: StoredFactor, token: string) {
  const secretText = seal.decrypt(sealedKey, sealContext.secondFactor(id))
  if (secretText === null) return false
  const nowMs = now()
  const secret = SharedSecret.fromBase32(secretText)
  // Clocks differ, so the codes of the steps before and after are valid, too.
  const stepDelta = TOTP.validate({ token, secret, ...TOTP_OPTIONS, timestamp: nowMs, window: 1 })
  if (stepDelta === null) return false
  const timeStep = TOTP.counter({ period: TOTP_OPTIONS.period, timestamp: nowMs }) + stepDelta
  const updatedRows = await db
    .update(secondFactors)
    .set({ lastTimeStep: timeStep })
    .where(and(eq(secondFactors.id, id), lt(secondFactors.lastTimeStep, timeStep)))
    .returning({ id: secondFactors.id })
  return updatedRows.length > 0
}
