import 'server-only'
import type { users } from '@/server/db/schema'
import type { Env } from '@/server/env'

/**
 * Whether somebody's own password or passkey lets them in. `PASSWORD_SIGN_IN=off` leaves that to the provider of single sign-on;
 * so does whoever it gives role or schools, since by a password they would stay what they were when it takes that away.
 * Administrators whom the command line has named may always, for the day the provider is down.
 */
export function mayUsePassword(
  { passwordSignIn, oidc }: Pick<Env, 'passwordSignIn' | 'oidc'>,
  { role, breakGlass, managed }: Pick<typeof users.$inferSelect, 'role' | 'breakGlass' | 'managed'>,
): boolean {
  if (breakGlass && role === 'admin') return true
  const isGiven = managed && Boolean(oidc?.roleMap ?? oidc?.schoolMap)
  return passwordSignIn && !isGiven
}
