import { ApiError } from '@/lib/api/send'
import type { NewUser } from '@/lib/contract/user'

type Person = Pick<NewUser, 'name' | 'email' | 'schools'>

/** What is wrong with the fields of a new person, each by its own name. */
export type UserFaults = { name?: true; email?: 'wrong' | 'taken'; schools?: true }

const EMAIL = /^[\w'+.-]+@([\da-z][\da-z-]*\.)+[a-z]{2,}$/i
const DOT_OUT_OF_PLACE = /^\.|\.\.|\.@/

/** What can be seen before anything is sent; an address as the server takes it. */
export function faultsOf({ name, email, schools }: Person): UserFaults {
  const isEmail = EMAIL.test(email) && !DOT_OUT_OF_PLACE.test(email)
  return {
    ...(name === '' && { name: true }),
    ...(!isEmail && { email: 'wrong' }),
    ...(schools.length === 0 && { schools: true }),
  }
}

/** What the server refuses at a field; none where it refuses as a whole. */
export function refusedField(error: unknown): UserFaults {
  if (!(error instanceof ApiError)) return {}
  if (error.status === 409) return { email: 'taken' }
  // The other fields cannot be wrong any more: an address is the only one with rules of its own.
  return error.status === 400 ? { email: 'wrong' } : {}
}
