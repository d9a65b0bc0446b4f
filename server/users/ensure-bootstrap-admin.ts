import 'server-only'
import { hashPassword } from '@/server/access/password'
import type { Env } from '@/server/env'
import { ConflictError } from '@/server/errors'
import type { Users } from './users'

/** The first administrator, made only while there is nobody: later the settings have no effect. */
export async function ensureBootstrapAdmin(users: Users, admin: Env['bootstrapAdmin']): Promise<boolean> {
  if (admin === null || (await users.anyReal())) return false
  const passwordHash = await hashPassword(admin.password)
  try {
    await users.create({ email: admin.email, name: admin.email, role: 'admin', schools: 'all', passwordHash })
    return true
  } catch (error) {
    // Another instance that started at the same moment was quicker.
    if (error instanceof ConflictError) return false
    throw error
  }
}
