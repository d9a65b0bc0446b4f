import { normalizePassword } from '@/lib/contract/limits'
import { SettingsError } from '@/server/base/env'
import { ConflictError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import { findPasswordFault } from './password-rules'
import { hashPassword } from './passwords'
import type { Users } from './users'

/** Creates the first administrator. Returns false if there are users, or if another instance was first. */
export async function ensureBootstrapAdmin({ connect, users, env }: Services): Promise<boolean> {
  if (env.bootstrapAdmin === null || (await users.hasRealUsers())) return false
  const { email, password } = env.bootstrapAdmin
  const fault = await findPasswordFault(password, { email, origin: env.auth.url })
  if (fault !== null) throw new SettingsError(['BOOTSTRAP_ADMIN_PASSWORD is easy to guess'])
  const passwordHash = await hashPassword(normalizePassword(password))
  try {
    await users.create(await connect(), { email, name: email, role: 'admin', schools: 'all', passwordHash })
    return true
  } catch (error) {
    if (error instanceof ConflictError) return false
    throw error
  }
}

/** Tells whether an operator must create the first user. With a role map a sign-in at the provider creates it. */
export async function needsFirstUser({ users, env }: Services): Promise<boolean> {
  return env.mode === 'connected' && env.oidc?.roleMap == null && !(await users.hasRealUsers())
}

export const listDemoAccounts = (staffSchools: string[]) =>
  [
    { email: 'staff@demo.test', name: 'Sara Lindqvist', role: 'staff', schools: staffSchools },
    { email: 'manager@demo.test', name: 'Mikael Ström', role: 'manager', schools: 'all' },
    { email: 'admin@demo.test', name: 'Anna Berg', role: 'admin', schools: 'all' },
  ] as const

export async function ensureDemoUsers(users: Users, staffSchools: string[]) {
  const passwordHash = await hashPassword('demo')
  for (const account of listDemoAccounts(staffSchools)) await users.ensureDemoUser({ ...account, passwordHash })
}
