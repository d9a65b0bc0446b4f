import type { Body } from '@/lib/contract/endpoints'
import { ConflictError, WrongProofError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import { executeAccessCommand } from './command'
import { hashNewPassword, matchesPassword } from './passwords'
import type { Session } from './session-cookie'
import { mayUsePassword } from './password-access'
import { toSecretAttemptKey } from './throttle'
import { setPassword } from './users'
import type { Viewer } from './viewer'

/** Tells whether the user has a password to change. Those of the demo are public and stay as they are. */
export async function hasOwnPassword({ users, env }: Services, viewer: Viewer) {
  const user = await users.find(viewer.id)
  return user !== null && user.passwordHash !== null && !user.demo && mayUsePassword(env, user)
}

export async function requireOwnPassword(services: Services, viewer: Viewer) {
  if (!(await hasOwnPassword(services, viewer))) throw new ConflictError('This account has no password of its own')
}

export async function changeOwnPassword(
  services: Services,
  viewer: Viewer,
  { current, password }: Body<'POST /api/account/password'>,
  { session }: { session: Session },
) {
  await requireOwnPassword(services, viewer)
  const user = await checkOwnPassword(services, viewer, current)
  const passwordHash = await hashNewPassword(services, user, password)
  await executeAccessCommand(services, viewer, 'signed-in', viewer.id, async (tx, log) => {
    await setPassword(tx, user, { passwordHash, nowMs: services.now(), exceptId: session.id })
    await log({ action: 'password-changed' })
  })
}

/** Tries are counted apart from those at the sign-in page, so that guesses there never lock out a signed-in user. */
export async function checkOwnPassword(services: Services, viewer: Viewer, password: string) {
  const { throttle, users, env } = services
  const key = toSecretAttemptKey(viewer.id, 'password')
  await throttle.countTry(key)
  const user = await users.find(viewer.id)
  const isRight = user !== null && mayUsePassword(env, user) && (await matchesPassword(user.passwordHash, password))
  if (!isRight) return refuseProof(services, viewer)
  await throttle.recordSuccess(key)
  return user
}

export async function refuseProof({ activity }: Services, viewer: Viewer): Promise<never> {
  await activity.record({ userId: viewer.id, action: 'proof-failed' })
  throw new WrongProofError()
}
