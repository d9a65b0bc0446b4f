import 'server-only'
import { normalPassword, type PasswordFault } from '@/lib/contract/limits'
import { hashPassword, passwordFault } from './passwords'
import { type Env, SettingsError } from '@/server/base/env'
import { ConflictError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import type { Users } from './users'

/** Only while there is no user: later the settings have no effect. */
export async function ensureBootstrapAdmin(
  { connect, users, env }: Services,
  admin: Env['bootstrapAdmin'],
): Promise<boolean> {
  if (admin === null || (await users.anyReal())) return false
  await requireGoodPassword(admin, env)
  const passwordHash = await hashPassword(normalPassword(admin.password))
  const first = { email: admin.email, name: admin.email, role: 'admin', schools: 'all', passwordHash } as const
  try {
    await users.create(await connect(), first)
    return true
  } catch (error) {
    if (error instanceof ConflictError) return false
    throw error
  }
}

export async function requireGoodPassword(
  { email, password }: NonNullable<Env['bootstrapAdmin']>,
  { auth }: Pick<Env, 'auth'>,
): Promise<void> {
  const fault = await passwordFault(password, { email, origin: auth.url })
  if (fault !== null) throw new SettingsError([`BOOTSTRAP_ADMIN_PASSWORD ${WORDS[fault]}`])
}

/** A role map may create the first user. */
export async function isNobodyYet({ users, env }: Services): Promise<boolean> {
  return env.mode === 'connected' && env.oidc?.roleMap == null && !(await users.anyReal())
}

const WORDS: Readonly<Record<PasswordFault, string>> = {
  'too-short': 'must have at least 12 characters',
  'too-long': 'must have at most 200 characters',
  common: 'is one that many people use',
  context: 'is made of words that everybody knows of the person or this place',
}

export const demoAccounts = (staffSchools: string[]) =>
  [
    { email: 'staff@demo.test', name: 'Sara Lindqvist', role: 'staff', schools: staffSchools },
    { email: 'manager@demo.test', name: 'Mikael Ström', role: 'manager', schools: 'all' },
    { email: 'admin@demo.test', name: 'Anna Berg', role: 'admin', schools: 'all' },
  ] as const

export async function ensureDemoUsers(users: Users, staffSchools: string[]): Promise<void> {
  const passwordHash = await hashPassword('demo')
  for (const person of demoAccounts(staffSchools)) await users.restoreDemo({ ...person, passwordHash })
}
