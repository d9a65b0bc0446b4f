import 'server-only'
import type { User } from '@/lib/contract/user'
import type { StoredUser } from './users'

/** What administrators see of a user: nothing of the password. */
export function toUser(stored: StoredUser): User {
  const { id, email, name, role, schools, disabled, activatedAt, createdAt } = stored
  return { id, email, name, role, schools, disabled, pending: activatedAt === null, createdAt: createdAt.toISOString() }
}
