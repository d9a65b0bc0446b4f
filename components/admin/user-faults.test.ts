import { describe, expect, test } from 'vitest'
import { ApiError } from '@/lib/api/send'
import { newUserSchema } from '@/lib/contract/user'
import { faultsOf, refusedField } from './user-faults'

const maja = { name: 'Maja', email: 'maja@skola.se', schools: ['norra'] }

describe('what is missing or wrong', () => {
  test('is told of each field by itself', () => {
    expect(faultsOf(maja)).toEqual({})
    expect(faultsOf({ ...maja, name: '' })).toEqual({ name: true })
    expect(faultsOf({ ...maja, schools: [] })).toEqual({ schools: true })
    expect(faultsOf({ ...maja, schools: 'all' })).toEqual({})
    expect(faultsOf({ name: '', email: '', schools: [] })).toEqual({ name: true, email: 'wrong', schools: true })
  })

  test.each([
    'maja@skola.se',
    'MAJA.berg+x@sub.skola.se',
    'o_a-k@skola.co.uk',
    'maja',
    'maja@skola',
    'maja@.se',
    '.maja@skola.se',
    'maja..b@skola.se',
    'maja.@skola.se',
    'maja@sko_la.se',
    'maja @skola.se',
    'måja@skola.se',
    'maja@skola.s',
    'a@b@skola.se',
  ])('%s is an address exactly if the server takes it', (email) => {
    const isTaken = newUserSchema.safeParse({ ...maja, email, role: 'staff' }).success
    expect(faultsOf({ ...maja, email }).email === undefined).toBe(isTaken)
  })
})

test('what the server refuses is told at its field, and all else is not', () => {
  expect(refusedField(new ApiError('refused', 409))).toEqual({ email: 'taken' })
  expect(refusedField(new ApiError('refused', 400))).toEqual({ email: 'wrong' })
  expect(refusedField(new ApiError('offline', 0))).toEqual({})
  expect(refusedField(new Error('x'))).toEqual({})
})
