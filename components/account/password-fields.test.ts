import { expect, it } from 'vitest'
import { lengthFault } from '@/lib/contract/limits'
import { findFault } from './password-fields'

it.each([
  ['elevenchars', 'elevenchars', 'too-short'],
  ['twelve chars', 'twelve chars', null],
  ['twelve chars', 'twelve char?', 'different'],
  ['x'.repeat(200), 'x'.repeat(200), null],
  ['x'.repeat(201), 'x'.repeat(201), 'too-long'],
])('%s, repeated as %s: %s', (password, repeated, fault) => {
  expect(findFault(password, repeated)).toBe(fault)
})

it('counts characters as people do, and knows the same one however it is put together', () => {
  expect(lengthFault('å'.normalize('NFD').repeat(11))).toBe('too-short')
  expect(lengthFault('🌲'.repeat(12))).toBeNull()
  expect(findFault('räksmörgåsar'.normalize('NFC'), 'räksmörgåsar'.normalize('NFD'))).toBeNull()
})
