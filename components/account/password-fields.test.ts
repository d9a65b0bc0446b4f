import { expect, it } from 'vitest'
import { checkNewPassword } from './password-fields'

it.each([
  ['elevenchars', 'elevenchars', 'too-short'],
  ['twelve chars', 'twelve char?', 'different'],
  ['twelve chars', 'twelve chars', null],
  ['🌲'.repeat(12), '🌲'.repeat(12), null],
  ['räksmörgåsar'.normalize('NFC'), 'räksmörgåsar'.normalize('NFD'), null],
])('%s, repeated as %s: %s', (password, repeated, fault) => {
  expect(checkNewPassword(password, repeated)).toBe(fault)
})
