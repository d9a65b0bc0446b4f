import 'server-only'
import { hashPassword } from '@/server/access/password'
import type { Users } from './users'

/** The three accounts of demo mode, as documented, after every start. `staffSchools` are the staff member's two. */
export async function ensureDemoUsers(users: Users, staffSchools: string[]): Promise<void> {
  const passwordHash = await hashPassword('demo')
  await users.restoreDemo({
    email: 'staff@demo.test',
    name: 'Sara Lindqvist',
    role: 'staff',
    schools: staffSchools,
    passwordHash,
  })
  await users.restoreDemo({
    email: 'manager@demo.test',
    name: 'Mikael Ström',
    role: 'manager',
    schools: 'all',
    passwordHash,
  })
  await users.restoreDemo({
    email: 'admin@demo.test',
    name: 'Anna Berg',
    role: 'admin',
    schools: 'all',
    passwordHash,
  })
}
