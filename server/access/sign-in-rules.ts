import 'server-only'
import { sql } from 'drizzle-orm'
import { defaultSignInRules, type SignInRules, signInRulesSchema } from '@/lib/contract/account'
import type { Role } from '@/lib/contract/user'
import { secondFactors } from '@/server/base/access-schema'
import { settings as table, users } from '@/server/base/schema'
import type { Env } from '@/server/base/env'
import type { Services } from '@/server/base/services'
import { changeSetting, readSetting } from './settings'
import type { Admin, Viewer } from './viewer'

export type PasswordEnv = Pick<Env, 'passwordSignIn' | 'oidc'>

/** A password would outlive a role that the provider revokes. `breakGlass` is for a provider outage. */
export function mayUsePassword(
  { hasPasswordSignIn: passwordSignIn, oidc }: PasswordEnv,
  { role, breakGlass, managed }: Pick<typeof users.$inferSelect, 'role' | 'breakGlass' | 'managed'>,
): boolean {
  if (breakGlass && role === 'admin') return true
  const isGiven = managed && Boolean(oidc?.roleMap ?? oidc?.schoolMap)
  return passwordSignIn && !isGiven
}

const SIGN_IN_RULES = 'sign-in-rules'

export async function getSignInRules({ connect }: Services, _viewer: Admin) {
  return storedRules.parse(await readSetting(await connect(), SIGN_IN_RULES))
}

export function changeSignInRules(services: Services, viewer: Viewer, rules: SignInRules) {
  return changeSetting(services, viewer, SIGN_IN_RULES, rules)
}

const storedRules = signInRulesSchema.catch(defaultSignInRules)

/** Joined to the session's query, so that the rule needs none of its own. */
export const factorColumns = {
  rules: sql<unknown>`(select ${table.value} from ${table} where ${table.name} = ${SIGN_IN_RULES})`,
  hasFactor: sql<boolean>`exists (
    select 1 from ${secondFactors}
    where ${secondFactors.userId} = ${users.id} and ${secondFactors.confirmedAt} is not null
  )`,
}

export function isFactorRequired(rules: unknown, role: Role): boolean {
  return storedRules.parse(rules).secondFactorFor.includes(role)
}
