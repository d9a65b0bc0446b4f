import type { Env } from '@/server/base/env'
import type { users } from '@/server/base/schema'

type Account = Pick<typeof users.$inferSelect, 'role' | 'breakGlass' | 'managed'>

/** A user whom the provider manages has no password: it would outlive a revoked role. `breakGlass` is for outages. */
export function mayUsePassword({ hasPasswordSignIn, oidc }: Env, { role, breakGlass, managed }: Account) {
  if (breakGlass && role === 'admin') return true
  const isManagedByProvider = managed && Boolean(oidc?.roleMap ?? oidc?.schoolMap)
  return hasPasswordSignIn && !isManagedByProvider
}
