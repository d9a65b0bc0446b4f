import { sql } from 'drizzle-orm'
import { defaultSignInRules, type SignInRules, signInRulesSchema } from '@/lib/contract/account'
import type { Role } from '@/lib/contract/user'
import { secondFactors } from '@/server/base/access-schema'
import type { Env } from '@/server/base/env'
import { settings as settingsTable, users } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import { changeSetting, readSetting } from './settings'
import type { Admin, Viewer } from './viewer'

/** A password would outlive a role that the provider revokes. `breakGlass` administrators have one for its outages. */
export function mayUsePassword({ hasPasswordSignIn, oidc }: Env, user: typeof users.$inferSelect) {
  const { role, breakGlass, managed } = user
  if (breakGlass && role === 'admin') return true
  const isManagedByProvider = managed && Boolean(oidc?.roleMap ?? oidc?.schoolMap)
  return hasPasswordSignIn && !isManagedByProvider
}

const SIGN_IN_RULES = 'sign-in-rules'
const storedRulesSchema = signInRulesSchema.catch(defaultSignInRules)

export async function getSignInRules({ connect }: Services, _viewer: Admin) {
  return storedRulesSchema.parse(await readSetting(await connect(), SIGN_IN_RULES))
}

export function changeSignInRules(services: Services, viewer: Viewer, rules: SignInRules) {
  return changeSetting(services, viewer, SIGN_IN_RULES, rules)
}

/** Columns for the query of a session, so that the rule needs no second query. */
export const factorColumns = {
  rules: sql<unknown>`(select ${settingsTable.value} from ${settingsTable} where ${settingsTable.name} = ${SIGN_IN_RULES})`,
  hasFactor: sql<boolean>`exists (
    select 1 from ${secondFactors}
    where ${secondFactors.userId} = ${users.id} and ${secondFactors.confirmedAt} is not null
  )`,
}

export function isFactorRequired(rules: unknown, role: Role) {
  return storedRulesSchema.parse(rules).secondFactorFor.includes(role)
}
