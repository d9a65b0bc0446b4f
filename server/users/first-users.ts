import 'server-only'
import { hashPassword } from '@/server/access/password'
import type { Connect } from '@/server/db/database'
import type { Env } from '@/server/env'
import { ConflictError } from '@/server/errors'
import type { Users } from './users'

/** The first administrator, made only while there is nobody: later the settings have no effect. */
export async function ensureBootstrapAdmin(
  { connect, users }: { connect: Connect; users: Users },
  admin: Env['bootstrapAdmin'],
): Promise<boolean> {
  if (admin === null || (await users.anyReal())) return false
  const passwordHash = await hashPassword(admin.password)
  try {
    const first = { email: admin.email, name: admin.email, role: 'admin', schools: 'all', passwordHash } as const
    await users.create(await connect(), first)
    return true
  } catch (error) {
    // Another instance that started at the same moment was quicker.
    if (error instanceof ConflictError) return false
    throw error
  }
}

/** The three accounts of demo mode, as documented, after every start. `staffSchools` are the staff member's two. */
export async function ensureDemoUsers(users: Users, staffSchools: string[]): Promise<void> {
  const passwordHash = await hashPassword('demo')
  for (const person of [
    { email: 'staff@demo.test', name: 'Sara Lindqvist', role: 'staff', schools: staffSchools },
    { email: 'manager@demo.test', name: 'Mikael Ström', role: 'manager', schools: 'all' },
    { email: 'admin@demo.test', name: 'Anna Berg', role: 'admin', schools: 'all' },
  ] as const) {
    await users.restoreDemo({ ...person, passwordHash })
  }
}
