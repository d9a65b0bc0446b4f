import { describe, expect, test } from 'vitest'
import { testServices } from '@/server/testing/services'
import { findPasswordFault } from './password-rules'
import { hashNewPassword, hashPassword, matchesPassword } from './passwords'
import { storedUser } from './testing/stored-user'

const schools = ['Katedralskolan', 'Rudbecks gymnasium', 'Katedral']
const context = { email: 'eva.lindqvist@norraskolan.se', name: 'Eva Lindqvist', origin: 'https://intag.malmo.se' }

describe('a new password', () => {
  const GOOD =
    'regnet faller på tisdagar | correct horse battery staple | aaaaaaaaaaab4hq7 | Zx4!kT9#pW2& | ' +
    'a-long-enough-password | 839201748392 |             en mening | 雨が降る雨が降らない明日'
  test.each(GOOD.split(' | '))('%s is one', async (password) => {
    expect(await findPasswordFault(password, { ...context, schools })).toBeNull()
  })

  const COMMON =
    'password1234 PASSWORD!!!! 2027-welcome-1 Lösenord2027 passwordpassword 123456789012 qwertyuiopås ' +
    'lkjhgfdsapoiu zyxwvutsrqponm aaaaaaaaaaaaaaa abcabcabcabcabc 1qaz2wsx3edc4rfv'
  const OF_CONTEXT =
    'EvaLindqvist27 lindqvist-norraskolan intag.malmö.se! gymnasiet-2027-eva Höstenmåndag1 ' +
    'Katedralskolan27 rudbeck-katedral rudbecksgymnasiet'
  const each = (texts: string, fault: string) => texts.split(' ').map((text): [string, string] => [text, fault])
  test.each([
    ['elevenchars', 'too-short'],
    ['å'.normalize('NFD').repeat(11), 'too-short'],
    ['x'.repeat(201), 'too-long'],
    ...each(COMMON, 'common'),
    ...each(OF_CONTEXT, 'context'),
  ])('%s is none: %s', async (password, fault) => {
    expect(await findPasswordFault(password, { ...context, schools })).toBe(fault)
  })
})

test('a password is the same however its characters are put together, also one that was kept as it was typed', async () => {
  const [composed, apart] = ['räksmörgås på bordet'.normalize('NFC'), 'räksmörgås på bordet'.normalize('NFD')]
  const services = testServices({
    env: { auth: { url: context.origin } },
    feed: { highSchools: () => ({ content: null }) },
  })
  const [hash, old] = [await hashNewPassword(services, storedUser('eva'), apart), await hashPassword(apart)]
  const tries = [matchesPassword(hash, composed), matchesPassword(old, apart), matchesPassword(hash, 'raksmorgas')]
  expect(await Promise.all(tries)).toEqual([true, true, false])
  expect(await matchesPassword(null, apart)).toBe(false)
})
