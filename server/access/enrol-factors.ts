import 'server-only'
import type {
  AddedFactorAnswer,
  NewTotpAnswer,
  PasskeyRegistration,
  SecondFactor,
  SecondFactorsAnswer,
} from '@/lib/contract/second-factor'
import type { Db } from '@/server/db/database'
import type { Env } from '@/server/env'
import { ConflictError, InvalidInputError, NotFoundError } from '@/server/errors'
import type { Users } from '@/server/users/users'
import { command, type CommandParts } from './command'
import { totpUri } from './one-time-codes'
import { requireOwnPassword } from './own-password'
import { type ChallengeParts, challengeOf, challenging } from './passkey-challenge'
import type { Passkeys } from './passkeys'
import { FACTOR_SECRETS, forgiveSecrets } from './secret-counters'
import type { SecondFactors, StoredFactor } from './second-factors'
import type { Throttle } from './throttle'
import type { Allowed, Viewer } from './viewer'

type Parts = CommandParts & {
  users: Pick<Users, 'find'>
  env: Pick<Env, 'oidc' | 'passwordSignIn'>
  secondFactors: SecondFactors
  passkeys: Passkeys
  throttle: Pick<Throttle, 'forgive'>
  announcer: { person: (userId: string) => Promise<void> }
}

/** One's own, the first added first. */
export async function listOwnFactors(
  { secondFactors }: Pick<Parts, 'secondFactors'>,
  viewer: Viewer,
): Promise<SecondFactorsAnswer> {
  const [factors, recoveryCodesLeft] = await Promise.all([
    secondFactors.list(viewer.id),
    secondFactors.recoveryCodesLeft(viewer.id),
  ])
  return { factors: factors.map(described), recoveryCodesLeft }
}

function described({ id, type, name, createdAt, lastUsedAt }: StoredFactor): SecondFactor {
  return { id, type, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null }
}

/** A shared secret for an app on the telephone; nothing asks for it before `confirmTotp`. */
export async function beginTotp(parts: Parts, viewer: Viewer, { name }: { name: string }): Promise<NewTotpAnswer> {
  await requireOwnPassword(parts, viewer)
  return command(parts, viewer, 'signed-in', async (tx, log) => {
    const { id, secret } = await parts.secondFactors.beginTotp(tx, viewer.id, name)
    log.nothing()
    return { id, secret, uri: totpUri(secret, viewer.email) }
  })
}

/** `InvalidInputError` for `code` when it is not one of the secret that was begun. */
export async function confirmTotp(
  parts: Parts,
  viewer: Viewer,
  given: { id: string; code: string },
): Promise<AddedFactorAnswer> {
  return adding(parts, viewer, 'totp', async (tx) => {
    if (!(await parts.secondFactors.confirmTotp(tx, viewer.id, given))) throw new InvalidInputError('code', 'wrong')
  })
}

/** What the browser asks a device to make. */
export async function offerPasskey(parts: Parts & ChallengeParts, viewer: Viewer): Promise<Response> {
  await requireOwnPassword(parts, viewer)
  return challenging(parts, 'registration', await parts.passkeys.offerNew(viewer))
}

/** `InvalidInputError` for `response` when it does not answer the challenge, or is somebody's already. */
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

async function adding(
  parts: Parts,
  viewer: Viewer,
  type: StoredFactor['type'],
  add: (tx: Db) => Promise<void>,
): Promise<AddedFactorAnswer> {
  await requireOwnPassword(parts, viewer)
  const answer = await command(parts, viewer, 'signed-in', async (tx, log) => {
    const isFirst = (await parts.secondFactors.list(viewer.id, tx)).length === 0
    await add(tx)
    await forgiveSecrets(parts.throttle, tx, viewer.id, isFirst ? [type, 'recovery-code'] : [type])
    await log({ action: 'second-factor-added', details: { type } })
    return { recoveryCodes: isFirst ? await parts.secondFactors.makeRecoveryCodes(tx, viewer.id) : null }
  })
  // A session that was let in only to get one may do everything from now on.
  await parts.announcer.person(viewer.id)
  return answer
}

/** `NotFoundError` when there is none by this id. */
export async function removeOwnFactor(parts: Parts, viewer: Viewer, { id }: { id: string }): Promise<void> {
  await command(parts, viewer, 'signed-in', async (tx, log) => {
    if (!(await parts.secondFactors.remove(tx, viewer.id, id))) throw new NotFoundError()
    await log({ action: 'second-factor-removed' })
  })
  await parts.announcer.person(viewer.id)
}

/** `ConflictError` for whoever has no second factor that the codes could stand for. */
export async function renewRecoveryCodes(parts: Parts, viewer: Viewer): Promise<{ recoveryCodes: string[] }> {
  return command(parts, viewer, 'signed-in', async (tx, log) => {
    const factors = await parts.secondFactors.list(viewer.id, tx)
    if (factors.length === 0) throw new ConflictError('There is no second factor')
    await log({ action: 'recovery-codes-made' })
    await forgiveSecrets(parts.throttle, tx, viewer.id, ['recovery-code'])
    return { recoveryCodes: await parts.secondFactors.makeRecoveryCodes(tx, viewer.id) }
  })
}

/** How many somebody has. */
export async function countFactorsOf(
  { secondFactors }: Pick<Parts, 'secondFactors'>,
  _viewer: Allowed<'admin'>,
  { id }: { id: string },
): Promise<{ count: number }> {
  return { count: (await secondFactors.list(id)).length }
}

/** For somebody whose telephone is gone: the password alone lets them in again. `NotFoundError` for an unknown person. */
export async function removeFactorsOf(
  parts: Parts,
  viewer: Allowed<'admin'>,
  { id: userId }: { id: string },
): Promise<{ count: number }> {
  const count = await command(parts, viewer, 'admin', async (tx, log) => {
    if (!(await parts.users.find(userId, tx))) throw new NotFoundError()
    const removed = await parts.secondFactors.removeAll(tx, userId)
    await forgiveSecrets(parts.throttle, tx, userId, FACTOR_SECRETS)
    await log({ action: 'second-factor-removed', details: { user: userId, count: removed } })
    return removed
  })
  await parts.announcer.person(userId)
  return { count }
}
