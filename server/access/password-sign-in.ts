import 'server-only'
import type { Env } from '@/server/env'
import type { StoredUser } from '@/server/users/users'

/**
 * Whether somebody's own password or passkey lets them in: everybody's, unless `PASSWORD_SIGN_IN=off` leaves that to the
 * provider. Then only administrators whom the command line has named may, for the day the provider is down.
 */
export function mayUsePassword(
  { passwordSignIn }: Pick<Env, 'passwordSignIn'>,
  { role, breakGlass }: Pick<StoredUser, 'role' | 'breakGlass'>,
): boolean {
  return passwordSignIn || (breakGlass && role === 'admin')
}
