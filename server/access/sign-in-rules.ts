import { sql } from 'drizzle-orm'
import { defaultSignInRules, type SignInRules, signInRulesSchema } from '@/lib/contract/account'
import type { Role } from '@/lib/contract/user'
import { secondFactors } from '@/server/base/access-schema'
import type { Env } from '@/server/base/env'
import { settings as settingsTable, users } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import { createSettingCommand, readSetting } from './settings'
import type { Admin } from './viewer'

type Account = Pick<typeof users.$inferSelect, 'role' | 'breakGlass' | 'managed'>

/** A user whom the provider manages has no password: it would outlive a revoked role. `breakGlass` is for outages. */
export function mayUsePassword({ hasPasswordSignIn, oidc }: Env, { role, breakGlass, managed }: Account) {
  if (breakGlass && role === 'admin') return true
  const isManagedByProvider = managed && Boolean(oidc?.roleMap ?? oidc?.schoolMap)
  return hasPasswordSignIn && !isManagedByProvider
}

const SIGN_IN_RULES = 'sign-in-rules'
/** Rules that are absent, or that another release wrote, give the default. */
const storedRulesSchema = signInRulesSchema.catch(defaultSignInRules)

export async function getSignInRules({ connect }: Services, _viewer: Admin) {
  return storedRulesSchema.parse(await readSetting(await connect(), SIGN_IN_RULES))
}

export const changeSignInRules = createSettingCommand<SignInRules>(SIGN_IN_RULES)

/** Columns for the query of a session, so that `isFactorRequired` needs no second query. */
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
