import 'server-only'
import { sql } from 'drizzle-orm'
import { defaultSignInRules, type SignInRules, signInRulesSchema } from '@/lib/contract/account'
import { secondFactors, type sessions } from '@/server/base/access-schema'
import { settings as table, users } from '@/server/base/schema'
import type { Env } from '@/server/base/env'
import type { Services } from '@/server/base/services'
import { changeSetting } from './settings'
import type { Admin, Viewer } from './viewer'

export type PasswordEnv = Pick<Env, 'passwordSignIn' | 'oidc'>
type StoredUser = typeof users.$inferSelect

/** A password would outlive a role that the provider revokes. `breakGlass` is for a provider outage. */
export function mayUsePassword(
  { passwordSignIn, oidc }: PasswordEnv,
  { role, breakGlass, managed }: Pick<StoredUser, 'role' | 'breakGlass' | 'managed'>,
): boolean {
  if (breakGlass && role === 'admin') return true
  const isGiven = managed && Boolean(oidc?.roleMap ?? oidc?.schoolMap)
  return passwordSignIn && !isGiven
}

const SIGN_IN_RULES = 'sign-in-rules'

export async function getSignInRules({ settings }: Services, _viewer: Admin) {
  return storedRules.parse(await settings.read(SIGN_IN_RULES))
}

export function changeSignInRules(services: Services, viewer: Viewer, rules: SignInRules) {
  return changeSetting(services, viewer, SIGN_IN_RULES, rules)
}

const storedRules = signInRulesSchema.catch(defaultSignInRules)

/** Joined to the session's query, so that the rule needs none of its own. */
export const enrolment = {
  rules: sql<unknown>`(select ${table.value} from ${table} where ${table.name} = ${SIGN_IN_RULES})`,
  hasFactor: sql<boolean>`exists (
    select 1 from ${secondFactors}
    where ${secondFactors.userId} = ${users.id} and ${secondFactors.confirmedAt} is not null
  )`,
}

type Read = {
  session: Pick<typeof sessions.$inferSelect, 'method'>
  user: Pick<StoredUser, 'role' | 'demo'>
  rules: unknown
  hasFactor: boolean
}

/** A provider has its own rules; demo accounts are shared. */
export function mustEnrol({ session, user, rules, hasFactor }: Read): boolean {
  if (hasFactor || user.demo || session.method === 'oidc') return false
  return storedRules.parse(rules).secondFactorFor.includes(user.role)
}
