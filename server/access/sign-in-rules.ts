import { sql } from 'drizzle-orm'
import { defaultSignInRules, type SignInRules, signInRulesSchema } from '@/lib/contract/account'
import { ROLES } from '@/lib/contract/limits'
import type { Role } from '@/lib/contract/user'
import { secondFactors } from '@/server/base/access-schema'
import { settings as settingsTable, users } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import { createSettingCommand, readSetting } from './settings'
import type { Admin } from './viewer'

const SETTING_NAME = 'sign-in-rules'
/** Rules that another release wrote, and this one cannot read, require a second factor of all roles. */
const storedRulesSchema = signInRulesSchema.catch({ secondFactorFor: [...ROLES] })

export async function getSignInRules({ connect }: Services, _viewer: Admin) {
  return storedRulesSchema.parse((await readSetting(await connect(), SETTING_NAME)) ?? defaultSignInRules)
}

export const changeSignInRules = createSettingCommand<SignInRules>(SETTING_NAME)

/** Columns for the query that reads a session, so that `isFactorRequired` needs no query of its own. */
export const factorColumns = {
  rules: sql<unknown>`(select ${settingsTable.value} from ${settingsTable} where ${settingsTable.name} = ${SETTING_NAME})`,
  hasFactor: sql<boolean>`exists (
    select 1 from ${secondFactors}
    where ${secondFactors.userId} = ${users.id} and ${secondFactors.confirmedAt} is not null
  )`,
}

export function isFactorRequired(rules: unknown, role: Role) {
  return storedRulesSchema.parse(rules ?? defaultSignInRules).secondFactorFor.includes(role)
}
