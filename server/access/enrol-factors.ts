import 'server-only'
import type { AddedFactorAnswer, NewTotpAnswer, PasskeyRegistration, SecondFactorsAnswer } from '@/lib/contract/account'
import type { Db } from '@/server/db/database'
import { ConflictError, InvalidInputError, NotFoundError } from '@/server/errors'
import type { Users } from '@/server/users/users'
import { accessCommand, type AccessCommandParts, command } from './command'
import { requireOwnPassword } from './own-password'
import { type ChallengeParts, challengeOf, challenging, type Passkeys } from './passkeys'
import { type SecondFactors, type StoredFactor, totpUri } from './second-factors'
import type { PasswordEnv } from './sign-in-rules'
import { FACTOR_SECRETS, forgiveSecrets, type Throttle } from './throttle'
import type { Allowed, Viewer } from './viewer'

type Parts = AccessCommandParts & {
  users: Pick<Users, 'find'>
  env: PasswordEnv
  secondFactors: SecondFactors
  passkeys: Passkeys
  throttle: Pick<Throttle, 'forgive'>
}

export async function listOwnFactors(
  { secondFactors }: Pick<Parts, 'secondFactors'>,
  viewer: Viewer,
): Promise<SecondFactorsAnswer> {
  const [stored, recoveryCodesLeft] = await Promise.all([
    secondFactors.list(viewer.id),
    secondFactors.recoveryCodesLeft(viewer.id),
  ])
  const factors = stored.map(({ id, type, name, createdAt, lastUsedAt }) => {
    return { id, type, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null }
  })
  return { factors, recoveryCodesLeft }
}

/** A shared secret for an authenticator app; nothing asks for it before `confirmTotp`. */
export async function beginTotp(parts: Parts, viewer: Viewer, { name }: { name: string }): Promise<NewTotpAnswer> {
  await requireOwnPassword(parts, viewer)
  return command(parts, viewer, 'signed-in', async (tx, log) => {
    const { id, secret } = await parts.secondFactors.beginTotp(tx, viewer.id, name)
    log.nothing()
    return { id, secret, uri: totpUri(secret, viewer.email) }
  })
}

export async function confirmTotp(
  parts: Parts,
  viewer: Viewer,
  given: { id: string; code: string },
): Promise<AddedFactorAnswer> {
  return adding(parts, viewer, 'totp', async (tx) => {
    if (!(await parts.secondFactors.confirmTotp(tx, viewer.id, given))) throw new InvalidInputError('code', 'wrong')
  })
}

export async function offerPasskey(parts: Parts & ChallengeParts, viewer: Viewer): Promise<Response> {
  await requireOwnPassword(parts, viewer)
  return challenging(parts, 'registration', await parts.passkeys.offerNew(viewer))
}

export async function addPasskey(
  parts: Parts & ChallengeParts,
  viewer: Viewer,
  { response, name }: { response: PasskeyRegistration; name: string },
  { request }: { request: Request },
): Promise<AddedFactorAnswer> {
  const challenge = challengeOf(parts, 'registration', request)
  return adding(parts, viewer, 'passkey', async (tx) => {
    const isAdded = challenge !== null && (await parts.passkeys.add(tx, viewer.id, { response, challenge, name }))
    if (!isAdded) throw new InvalidInputError('response', 'wrong')
  })
}

/** It is announced, because a session that was let in only to get a factor may do everything from now on. */
async function adding(
  parts: Parts,
  viewer: Viewer,
  type: StoredFactor['type'],
  add: (tx: Db) => Promise<void>,
): Promise<AddedFactorAnswer> {
  await requireOwnPassword(parts, viewer)
  return accessCommand(parts, viewer, 'signed-in', viewer.id, async (tx, log) => {
    const isFirst = (await parts.secondFactors.list(viewer.id, tx)).length === 0
    await add(tx)
    await forgiveSecrets(parts.throttle, tx, viewer.id, isFirst ? [type, 'recovery-code'] : [type])
    await log({ action: 'second-factor-added', details: { type } })
    return { recoveryCodes: isFirst ? await parts.secondFactors.makeRecoveryCodes(tx, viewer.id) : null }
  })
}

export async function removeOwnFactor(parts: Parts, viewer: Viewer, { id }: { id: string }): Promise<void> {
  await accessCommand(parts, viewer, 'signed-in', viewer.id, async (tx, log) => {
    if (!(await parts.secondFactors.remove(tx, viewer.id, id))) throw new NotFoundError()
    await log({ action: 'second-factor-removed' })
  })
}

export async function renewRecoveryCodes(parts: Parts, viewer: Viewer): Promise<{ recoveryCodes: string[] }> {
  return command(parts, viewer, 'signed-in', async (tx, log) => {
    const factors = await parts.secondFactors.list(viewer.id, tx)
    if (factors.length === 0) throw new ConflictError('There is no second factor')
    await log({ action: 'recovery-codes-made' })
    await forgiveSecrets(parts.throttle, tx, viewer.id, ['recovery-code'])
    return { recoveryCodes: await parts.secondFactors.makeRecoveryCodes(tx, viewer.id) }
  })
}

export async function countFactorsOf(
  { secondFactors }: Pick<Parts, 'secondFactors'>,
  _viewer: Allowed<'admin'>,
  { id }: { id: string },
): Promise<{ count: number }> {
  return { count: (await secondFactors.list(id)).length }
}

/** When the phone is lost: the password alone lets the person in again. `NotFoundError` for an unknown one. */
export async function removeFactorsOf(
  parts: Parts,
  viewer: Allowed<'admin'>,
  { id: userId }: { id: string },
): Promise<{ count: number }> {
  return accessCommand(parts, viewer, 'admin', userId, async (tx, log) => {
    if (!(await parts.users.find(userId, tx))) throw new NotFoundError()
    const count = await parts.secondFactors.removeAll(tx, userId)
    await forgiveSecrets(parts.throttle, tx, userId, FACTOR_SECRETS)
    await log({ action: 'second-factor-removed', details: { user: userId, count } })
    return { count }
  })
}
