import { expect, test } from 'vitest'
import { ApiError } from '@/lib/api/send'
import { newUserSchema, type User } from '@/lib/contract/user'
import { changesOf, errorKeysOf, refusalOf } from './user-change'

const user: User = {
  id: 'u',
  email: 'kerstin@skola.example',
  name: 'Kerstin',
  role: 'staff',
  schools: ['norra', 'sodra'],
  disabled: false,
  pending: false,
  breakGlass: false,
  createdAt: '2026-11-20T07:12:00.000Z',
}

test.each([
  ['another order of the schools', user, { role: 'staff', schools: ['sodra', 'norra'] }, {}],
  ['a role', user, { role: 'admin', schools: ['norra', 'sodra'] }, { role: 'admin' }],
  ['fewer schools', user, { role: 'staff', schools: ['norra'] }, { schools: ['norra'] }],
  ['both', user, { role: 'manager', schools: 'all' }, { role: 'manager', schools: 'all' }],
  ['every school of today', { ...user, schools: 'all' }, { role: 'staff', schools: ['norra'] }, { schools: ['norra'] }],
] as const)('only what differs is sent: %s', (_, before, { role, schools }, change) => {
  const scope = schools === 'all' ? schools : [...schools]
  expect(changesOf(before as User, { role, schools: scope })).toEqual(change)
})

test('each field says what is missing or wrong', () => {
  expect(errorKeysOf(user)).toEqual({})
  expect(errorKeysOf({ ...user, schools: 'all' })).toEqual({})
  expect(errorKeysOf({ ...user, name: '' })).toEqual({ name: 'nameMissing' })
  expect(errorKeysOf({ name: '', email: '', schools: [] })).toEqual({
    name: 'nameMissing',
    email: 'emailWrong',
    schools: 'schools.none',
  })
})

const TAKEN = ['maja@skola.se', 'MAJA.berg+x@sub.skola.se', 'o_a-k@skola.co.uk']
const PARTS = ['maja', 'maja@skola', 'maja@.se', 'maja@skola.s', 'a@b@skola.se', 'maja @skola.se', 'måja@skola.se']
const DOTS = ['.maja@skola.se', 'maja..b@skola.se', 'maja.@skola.se', 'maja@sko_la.se']
test.each([...TAKEN, ...PARTS, ...DOTS])('%s is an address exactly if the server takes it', (email) => {
  const { name, role, schools } = user
  const isTaken = newUserSchema.safeParse({ name, role, schools, email }).success
  expect(errorKeysOf({ ...user, email }).email === undefined).toBe(isTaken)
})

test.each([
  [new ApiError('refused', 409), { email: 'emailTaken' }],
  [new ApiError('refused', 400), { email: 'emailWrong' }],
  [new ApiError('unauthorized', 403), 'notAllowed'],
  [new ApiError('offline', 0), undefined],
  [new Error('x'), undefined],
])('%s with status is said at its field, or of the whole', (error, said) => {
  expect(refusalOf(error)).toEqual(said)
})
