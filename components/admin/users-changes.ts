import type { SchoolScope, User, UserChange } from '@/lib/contract/user'

/** Only what differs: what somebody else has changed meanwhile is not put back. */
export function changesOf(user: User, { role, schools }: Pick<User, 'role' | 'schools'>): UserChange {
  return {
    ...(role !== user.role && { role }),
    ...(!isSame(schools, user.schools) && { schools }),
  }
}

function isSame(a: SchoolScope, b: SchoolScope): boolean {
  if (a === 'all' || b === 'all') return a === b
  const those = new Set(b)
  return a.length === those.size && a.every((id) => those.has(id))
}
