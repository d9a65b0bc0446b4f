import { expect, test } from 'vitest'
import { testServices } from '@/server/testing/services'
import { findPasswordFault } from './password-rules'
import { hashNewPassword, matchesPassword } from './passwords'
import { storedUser } from './testing/stored-user'

const context = { email: 'eva.lindqvist@norraskolan.se', origin: 'https://intag.malmo.se' }

test.each<[string, string | null]>([
  ['regnet faller på tisdagar', null],
  ['correct horse battery staple', null],
  ['839201748392', null],
  ['            en mening', null],
  ['雨が降る雨が降らない明日', null],
  ['elevenchars', 'too-short'],
  ['å'.normalize('NFD').repeat(11), 'too-short'],
  ['x'.repeat(201), 'too-long'],
  ['PASSWORD!!!!', 'common'],
  ['2027-welcome-1', 'common'],
  ['Lösenord2027', 'common'],
  ['123456789012', 'common'],
  ['abcabcabcabc', 'common'],
  ['EvaLindqvist27', 'context'],
  ['lindqvist-norraskolan', 'context'],
  ['intag.malmö.se!', 'context'],
])('as a new password %s is %s', async (password, fault) => {
  expect(await findPasswordFault(password, context)).toBe(fault)
})

test('a password is the same however its characters are put together', async () => {
  const [composed, apart] = ['räksmörgås på bordet'.normalize('NFC'), 'räksmörgås på bordet'.normalize('NFD')]
  const hash = await hashNewPassword(testServices({ env: { auth: { url: context.origin } } }), storedUser('eva'), apart)
  const tries = [matchesPassword(hash, composed), matchesPassword(hash, apart), matchesPassword(hash, 'raksmorgas')]
  expect(await Promise.all(tries)).toEqual([true, true, false])
  expect(await matchesPassword(null, apart)).toBe(false)
})
