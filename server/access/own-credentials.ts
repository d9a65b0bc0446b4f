import 'server-only'
import type { PasswordChange } from '@/lib/contract/user'
import { ConflictError, InvalidInputError, NotFoundError } from '@/server/base/errors'
import { setPassword } from './users'
import type { Services } from '@/server/base/services'
import { accessCommand, type AccessCommandParts, command } from './command'
import { acceptPassword, contextOf, hashPassword, matchesPassword, type PlaceParts } from './passwords'
import { totpUri } from './second-factors'
import type { Session } from './session-cookie'
import { mayUsePassword, type PasswordEnv } from './sign-in-rules'
import { withThrottle } from './step-up'
import { FACTOR_SECRETS, resetSecrets } from './throttle'
import type { Viewer, Admin } from './viewer'

type Owner = Pick<Services, 'users'> & { env: PasswordEnv }

/** The demo's passwords are public; a password beside a provider's account would outlive it. */
export async function hasOwnPassword({ users, env }: Owner, viewer: Viewer): Promise<boolean> {
  const user = await users.find(viewer.id)
  return user !== null && user.passwordHash !== null && !user.demo && mayUsePassword(env, user)
}

async function requireOwnPassword(parts: Owner, viewer: Viewer): Promise<void> {
  if (!(await hasOwnPassword(parts, viewer))) throw new ConflictError('This account has no password of its own')
}

export async function changeOwnPassword(
  parts: AccessCommandParts & PlaceParts & Parameters<typeof withThrottle>[0] & Owner & { now: () => number },
  viewer: Viewer,
  { current, password }: PasswordChange,
  { session }: { session: Session },
): Promise<void> {
  await requireOwnPassword(parts, viewer)
  const user = await withThrottle(parts, viewer, 'password', async () => {
    const found = await parts.users.find(viewer.id)
    return (await matchesPassword(found?.passwordHash ?? null, current)) ? found : null
  })
  const passwordHash = await hashPassword(await acceptPassword(password, contextOf(parts, user)))
  await accessCommand(parts, viewer, 'signed-in', viewer.id, async (tx, log) => {
    await setPassword(tx, viewer.id, passwordHash, new Date(parts.now()), session.id)
    await log({ action: 'password-changed' })
  })
}

type Factors = Pick<Services, 'secondFactors'>
type Parts = AccessCommandParts & Owner & Factors & Pick<Services, 'throttle'>

export async function listOwnFactors({ secondFactors }: Factors, viewer: Viewer) {
  const [stored, recoveryCodesLeft] = await Promise.all([
    secondFactors.list(viewer.id),
    secondFactors.recoveryCodesLeft(viewer.id),
  ])
  const factors = stored.map(({ id, name, createdAt, lastUsedAt }) => {
    return { id, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null }
  })
  return { factors, recoveryCodesLeft }
}

/** Not asked for until `confirmTotp`. */
export async function beginTotp(parts: Parts, viewer: Viewer, { name }: { name: string }) {
  await requireOwnPassword(parts, viewer)
  return command(parts, viewer, 'signed-in', async (tx, log) => {
    const { id, secret } = await parts.secondFactors.beginTotp(tx, viewer.id, name)
    log.nothing()
    return { id, secret, uri: totpUri(secret, viewer.email) }
  })
}

/** Announced, because a session that could only set up a factor has full access from now on. */
export async function confirmTotp(parts: Parts, viewer: Viewer, given: { id: string; code: string }) {
  await requireOwnPassword(parts, viewer)
  return accessCommand(parts, viewer, 'signed-in', viewer.id, async (tx, log) => {
    const isFirst = (await parts.secondFactors.list(viewer.id, tx)).length === 0
    if (!(await parts.secondFactors.confirmTotp(tx, viewer.id, given))) throw new InvalidInputError('code', 'wrong')
    await resetSecrets(parts.throttle, tx, viewer.id, isFirst ? FACTOR_SECRETS : ['totp'])
    await log({ action: 'second-factor-added' })
    return { recoveryCodes: isFirst ? await parts.secondFactors.makeRecoveryCodes(tx, viewer.id) : null }
  })
}

export async function removeOwnFactor(parts: Parts, viewer: Viewer, { id }: { id: string }): Promise<void> {
  await accessCommand(parts, viewer, 'signed-in', viewer.id, async (tx, log) => {
    if (!(await parts.secondFactors.remove(tx, viewer.id, id))) throw new NotFoundError()
    await log({ action: 'second-factor-removed' })
  })
}

export function renewRecoveryCodes(parts: Parts, viewer: Viewer) {
  return command(parts, viewer, 'signed-in', async (tx, log) => {
    const factors = await parts.secondFactors.list(viewer.id, tx)
    if (factors.length === 0) throw new ConflictError('There is no second factor')
    await log({ action: 'recovery-codes-made' })
    await resetSecrets(parts.throttle, tx, viewer.id, ['recovery-code'])
    return { recoveryCodes: await parts.secondFactors.makeRecoveryCodes(tx, viewer.id) }
  })
}

export function removeFactorsOf(parts: Parts, viewer: Admin, { id: userId }: { id: string }) {
  return accessCommand(parts, viewer, 'admin', userId, async (tx, log) => {
    if (!(await parts.users.find(userId, tx))) throw new NotFoundError()
    const count = await parts.secondFactors.removeAll(tx, userId)
    await resetSecrets(parts.throttle, tx, userId, FACTOR_SECRETS)
    await log({ action: 'second-factor-removed', details: { user: userId, count } })
    return { count }
  })
}
