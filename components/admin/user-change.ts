import { hasStatus } from '@/lib/api/send'
import type { NewUser, Role, SchoolScope, User, UserChange } from '@/lib/contract/user'

export const ROLES = ['staff', 'manager', 'admin'] as const satisfies readonly Role[]

type UserFaults = { name?: 'nameMissing'; email?: 'emailWrong' | 'emailTaken'; schools?: 'schools.none' }

const EMAIL = /^[\w'+.-]+@([\da-z][\da-z-]*\.)+[a-z]{2,}$/i
const DOT_OUT_OF_PLACE = /^\.|\.\.|\.@/

/** An address is judged by the rules of the server. */
export function errorKeysOf({ name, email, schools }: Pick<NewUser, 'name' | 'email' | 'schools'>): UserFaults {
  const isEmail = EMAIL.test(email) && !DOT_OUT_OF_PLACE.test(email)
  return {
    ...(name === '' && { name: 'nameMissing' }),
    ...(!isEmail && { email: 'emailWrong' }),
    ...(schools.length === 0 && { schools: 'schools.none' }),
  }
}

export function refusalOf(error: unknown): UserFaults | 'notAllowed' | undefined {
  if (hasStatus(error, 409)) return { email: 'emailTaken' }
  // Only an address has rules that this side may not know.
  if (hasStatus(error, 400)) return { email: 'emailWrong' }
  return hasStatus(error, 403) ? 'notAllowed' : undefined
}

/** Only what differs: what another administrator has changed meanwhile is not put back. */
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
