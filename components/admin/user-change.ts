import type { Role, SchoolScope, User, UserChange } from '@/lib/contract/user'

export const ROLES = ['staff', 'manager', 'admin'] as const satisfies readonly Role[]

/** Only what differs: what another administrator has changed meanwhile is not put back. */
export function changesOf(user: User, { role, schools }: Pick<User, 'role' | 'schools'>): UserChange {
  return {
    ...(role !== user.role && { role }),
    ...(inOrder(schools) !== inOrder(user.schools) && { schools }),
  }
}

const inOrder = (schools: SchoolScope) => JSON.stringify(schools === 'all' ? schools : schools.toSorted())
