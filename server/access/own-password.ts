import 'server-only'
import type { PasswordChange } from '@/lib/contract/user'
import { ConflictError } from '@/server/errors'
import { setPassword, type Users } from '@/server/users/users'
import { accessCommand, type AccessCommandParts } from './command'
import { acceptPassword, contextOf, hashPassword, matchesPassword, type PlaceParts } from './passwords'
import type { Session, AuthEnv } from './session-cookie'
import { mayUsePassword, type PasswordEnv } from './sign-in-rules'
import { counted } from './step-up'
import type { Viewer } from './viewer'

type Owning = { users: Pick<Users, 'find'>; env: PasswordEnv }
type Parts = AccessCommandParts &
  PlaceParts &
  Parameters<typeof counted>[0] &
  Owning & { env: AuthEnv; now: () => number }

/** The demo's are public; a password beside an account at a provider would outlive it. */
export async function hasOwnPassword({ users, env }: Owning, viewer: Viewer): Promise<boolean> {
  const user = await users.find(viewer.id)
  return user !== null && user.passwordHash !== null && !user.demo && mayUsePassword(env, user)
}

export async function requireOwnPassword(parts: Owning, viewer: Viewer): Promise<void> {
  if (!(await hasOwnPassword(parts, viewer))) throw new ConflictError('This account has no password of its own')
}

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
  const passwordHash = await hashPassword(await acceptPassword(password, contextOf(parts, user)))
  await accessCommand(parts, viewer, 'signed-in', viewer.id, async (tx, log) => {
    await setPassword(tx, viewer.id, passwordHash, new Date(parts.now()), session.id)
    await log({ action: 'password-changed' })
  })
}
