import { expect, test } from 'vitest'
import type { User } from '@/lib/contract/user'
import { changesOf } from './user-change'

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

test('only what differs is sent; the order of the schools is no difference', () => {
  expect(changesOf(user, { role: 'staff', schools: ['sodra', 'norra'] })).toEqual({})
  expect(changesOf(user, { role: 'admin', schools: ['norra', 'sodra'] })).toEqual({ role: 'admin' })
  expect(changesOf(user, { role: 'staff', schools: ['norra'] })).toEqual({ schools: ['norra'] })
  expect(changesOf(user, { role: 'manager', schools: 'all' })).toEqual({ role: 'manager', schools: 'all' })
})

test('every school there is today is not the same as all schools', () => {
  expect(changesOf({ ...user, schools: 'all' }, { role: 'staff', schools: ['norra'] })).toEqual({ schools: ['norra'] })
})
