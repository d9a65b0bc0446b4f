import { expect, test } from 'vitest'
import type { User } from '@/lib/contract/user'
import { diffAccess } from './user-dialog'

const user = { role: 'staff', schools: ['norra', 'sodra'] } as const

test.each([
  ['another order of the schools', user, { role: 'staff', schools: ['sodra', 'norra'] }, {}],
  ['a role', user, { role: 'admin', schools: ['norra', 'sodra'] }, { role: 'admin' }],
  ['fewer schools', user, { role: 'staff', schools: ['norra'] }, { schools: ['norra'] }],
  ['both', user, { role: 'manager', schools: 'all' }, { role: 'manager', schools: 'all' }],
  ['every school of today', { ...user, schools: 'all' }, { role: 'staff', schools: ['norra'] }, { schools: ['norra'] }],
] as const)('only what differs is sent: %s', (_, before, { role, schools }, change) => {
  const scope = schools === 'all' ? schools : [...schools]
  expect(diffAccess(before as unknown as User, { role, schools: scope })).toEqual(change)
})
