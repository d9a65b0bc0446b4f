import { expect, it } from 'vitest'
import { findLengthFault } from '@/lib/contract/limits'
import { checkNewPassword } from './password-fields'

it.each([
  ['elevenchars', 'elevenchars', 'too-short'],
  ['twelve chars', 'twelve chars', null],
  ['twelve chars', 'twelve char?', 'different'],
  ['x'.repeat(200), 'x'.repeat(200), null],
  ['x'.repeat(201), 'x'.repeat(201), 'too-long'],
])('%s, repeated as %s: %s', (password, repeated, fault) => {
  expect(checkNewPassword(password, repeated)).toBe(fault)
})

it('counts characters as people do, and knows the same one however it is put together', () => {
  expect(findLengthFault('å'.normalize('NFD').repeat(11))).toBe('too-short')
  expect(findLengthFault('🌲'.repeat(12))).toBeNull()
  expect(checkNewPassword('räksmörgåsar'.normalize('NFC'), 'räksmörgåsar'.normalize('NFD'))).toBeNull()
})
