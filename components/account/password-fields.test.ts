import { expect, it } from 'vitest'
import { findNewPasswordFault } from './password-fields'

it.each([
  ['elevenchars', 'elevenchars', 'too-short'],
  ['twelve chars', 'twelve char?', 'different'],
  ['twelve chars', 'twelve chars', null],
  ['🌲'.repeat(12), '🌲'.repeat(12), null],
  ['räksmörgåsar'.normalize('NFC'), 'räksmörgåsar'.normalize('NFD'), null],
])('%s, repeated as %s: %s', (password, repeated, fault) => {
  expect(findNewPasswordFault(password, repeated)).toBe(fault)
})
