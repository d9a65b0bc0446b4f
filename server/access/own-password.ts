import 'server-only'
import type { PasswordChange } from '@/lib/contract/user'
import type { Env } from '@/server/env'
import { ConflictError, NotFoundError } from '@/server/errors'
import { setPassword, type StoredUser, type Users } from '@/server/users/users'
import { command, type CommandParts } from './command'
import { hashPassword } from './password'
import { mayUsePassword } from './password-sign-in'
import { acceptPassword, contextOf, matchesPassword, type PlaceParts } from './passwords'
import type { Session } from './session-cookie'
import { counted } from './step-up'
import type { Viewer } from './viewer'

type Parts = CommandParts &
  PlaceParts &
  Parameters<typeof counted>[0] & {
    users: Pick<Users, 'find'>
    env: Pick<Env, 'auth' | 'oidc' | 'passwordSignIn'>
    announcer: { person: (userId: string) => Promise<void> }
  }

/**
 * Whether somebody has a password of their own here. Those of the demo are everybody's, and a provider's people have none: a
 * password or passkey beside their account there would outlive it.
 */
export async function hasOwnPassword(
  { users, env }: { users: Pick<Users, 'find'>; env: Pick<Env, 'oidc' | 'passwordSignIn'> },
  viewer: Viewer,
): Promise<boolean> {
  const user = await users.find(viewer.id)
  return user !== null && isOwn(user, env)
}

function isOwn(user: StoredUser, env: Pick<Env, 'oidc' | 'passwordSignIn'>): boolean {
  return user.passwordHash !== null && !user.demo && mayUsePassword(env, user)
}

/** `ConflictError` for whoever has no password of their own here. */
export async function requireOwnPassword(parts: Parameters<typeof hasOwnPassword>[0], viewer: Viewer): Promise<void> {
  if (!(await hasOwnPassword(parts, viewer))) throw new ConflictError('This account has no password of its own')
}

/**
 * A new password for oneself. Sessions elsewhere end, the one that asks goes on. `WrongProofError` when the current one is
 * another, `InvalidInputError` when the new one is none.
 */
export async function changeOwnPassword(
  parts: Parts,
  viewer: Viewer,
  { current, password }: PasswordChange,
  { session }: { session: Session },
): Promise<void> {
  await requireOwnPassword(parts, viewer)
  const user = await counted(parts, viewer, 'password', async () => {
    const found = await parts.users.find(viewer.id)
    return (await matchesPassword(found?.passwordHash ?? null, current)) ? found : null
  })
  if (user === null) throw new NotFoundError()
  const passwordHash = await hashPassword(await acceptPassword(password, contextOf(parts, user)))
  await command(parts, viewer, 'signed-in', async (tx, log) => {
    await setPassword(tx, viewer.id, passwordHash, new Date(parts.now()), session.id)
    await log({ action: 'password-changed' })
  })
  await parts.announcer.person(viewer.id)
}
