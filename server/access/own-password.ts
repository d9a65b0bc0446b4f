import 'server-only'
import type { PasswordChange } from '@/lib/contract/user'
import { ConflictError, WrongProofError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import { accessCommand } from './command'
import { acceptPassword, contextOf, hashPassword, matchesPassword } from './passwords'
import type { Session } from './session-cookie'
import { mayUsePassword } from './sign-in-rules'
import { secretKey } from './throttle'
import { setPassword, type StoredUser } from './users'
import type { Viewer } from './viewer'

/** The demo's passwords are public; a password beside a provider's account would outlive it. */
export async function hasOwnPassword({ users, env }: Services, viewer: Viewer): Promise<boolean> {
  const user = await users.find(viewer.id)
  return user !== null && user.passwordHash !== null && !user.demo && mayUsePassword(env, user)
}

export async function requireOwnPassword(services: Services, viewer: Viewer): Promise<void> {
  if (!(await hasOwnPassword(services, viewer))) throw new ConflictError('This account has no password of its own')
}

export async function changeOwnPassword(
  services: Services,
  viewer: Viewer,
  { current, password }: PasswordChange,
  { session }: { session: Session },
): Promise<void> {
  await requireOwnPassword(services, viewer)
  const user = await checkOwnPassword(services, viewer, current)
  const passwordHash = await hashPassword(await acceptPassword(password, contextOf(services, user)))
  await accessCommand(services, viewer, 'signed-in', viewer.id, async (tx, log) => {
    await setPassword(tx, user, passwordHash, new Date(services.now()), session.id)
    await log({ action: 'password-changed' })
  })
}

/** Counted apart from sign-ins: guesses at the sign-in page do not lock out signed-in users. */
export async function checkOwnPassword(services: Services, viewer: Viewer, password: string): Promise<StoredUser> {
  const { throttle, users, env } = services
  const key = secretKey(viewer.id, 'password')
  await throttle.countTry(key)
  const user = await users.find(viewer.id)
  const isRight = user !== null && mayUsePassword(env, user) && (await matchesPassword(user.passwordHash, password))
  if (!isRight) throw await wrongProof(services, viewer)
  await throttle.succeeded(key)
  return user
}

export async function wrongProof({ activity }: Services, viewer: Viewer): Promise<WrongProofError> {
  await activity.record({ userId: viewer.id, action: 'proof-failed' })
  return new WrongProofError()
}
