import 'server-only'
import { sql } from 'drizzle-orm'
import { defaultSignInRules, type SignInRules, signInRulesSchema } from '@/lib/contract/second-factor'
import { secondFactors, type sessions } from '@/server/db/access-schema'
import { settings as table, users } from '@/server/db/schema'
import { type ChangeParts, changeSetting, type Settings } from '@/server/settings/settings'
import type { Allowed, Viewer } from './viewer'

const SIGN_IN_RULES = 'sign-in-rules'

/** As an administrator set them, else those of the beginning. */
export async function getSignInRules(
  { settings }: { settings: Settings },
  _viewer: Allowed<'leads:export'>,
): Promise<SignInRules> {
  return rulesIn(await settings.read(SIGN_IN_RULES))
}

/** Holds for sessions that are there, too, within the seconds for which they are known in memory. */
export function changeSignInRules(parts: ChangeParts, viewer: Viewer, rules: SignInRules) {
  return changeSetting(parts, viewer, SIGN_IN_RULES, rules)
}

function rulesIn(stored: unknown): SignInRules {
  const rules = signInRulesSchema.safeParse(stored)
  return rules.success ? rules.data : defaultSignInRules
}

/** Columns of whatever reads a session with its person, so that the rule costs no query of its own. */
export const enrolment = {
  rules: sql<unknown>`(select ${table.value} from ${table} where ${table.name} = ${SIGN_IN_RULES})`,
  hasFactor: sql<boolean>`exists (
    select 1 from ${secondFactors}
    where ${secondFactors.userId} = ${users.id} and ${secondFactors.confirmedAt} is not null
  )`,
}

type Read = {
  session: Pick<typeof sessions.$inferSelect, 'method'>
  user: Pick<typeof users.$inferSelect, 'role' | 'demo'>
  rules: unknown
  hasFactor: boolean
}

/** What a provider asks of people is the provider's business; the accounts of the demo are everybody's. */
export function mustEnrol({ session, user, rules, hasFactor }: Read): boolean {
  if (hasFactor || user.demo || session.method === 'oidc') return false
  return rulesIn(rules).secondFactorFor.includes(user.role)
}
