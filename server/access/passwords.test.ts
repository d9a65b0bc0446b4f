import { describe, expect, test } from 'vitest'
import { testServices } from '@/server/testing/services'
import { findPasswordFault, hashNewPassword, hashPassword, matchesPassword } from './passwords'
import { storedUser } from './testing/stored-user'

const context = { email: 'eva.lindqvist@norraskolan.se', name: 'Eva Lindqvist', origin: 'https://intag.malmo.se' }
const faultOf = (password: string) => findPasswordFault(password, context)

describe('a new password', () => {
  const GOOD =
    'regnet faller på tisdagar | correct horse battery staple | aaaaaaaaaaab4hq7 | Zx4!kT9#pW2& | ' +
    'their-own-password | a-long-enough-password | 839201748392 | skolan regnar alltid blått | ' +
    '            en mening | 雨が降る雨が降らない明日'
  test.each(GOOD.split(' | '))('%s is one', async (password) => {
    expect(await faultOf(password)).toBeNull()
  })

  const COMMON =
    'password1234 PASSWORD!!!! 2027-welcome-1 Lösenord2027 passwordpassword 123456789012 qwertyuiopås ' +
    'lkjhgfdsapoiu zyxwvutsrqponm aaaaaaaaaaaaaaa abcabcabcabcabc 1qaz2wsx3edc4rfv'
  const OF_CONTEXT = 'EvaLindqvist27 lindqvist-norraskolan intag.malmö.se! gymnasiet-2027-eva Höstenmåndag1'
  const each = (texts: string, fault: string) => texts.split(' ').map((text): [string, string] => [text, fault])
  test.each([
    ['elevenchars', 'too-short'],
    ['å'.normalize('NFD').repeat(11), 'too-short'],
    ['x'.repeat(201), 'too-long'],
    ...each(COMMON, 'common'),
    ...each(OF_CONTEXT, 'context'),
  ])('%s is none: %s', async (password, fault) => {
    expect(await faultOf(password)).toBe(fault)
  })

  test.each(['Katedralskolan27', 'rudbeck-katedral', 'rudbecksgymnasiet'])(
    '%s is none where that is the school',
    async (password) => {
      const schools = ['Katedralskolan', 'Rudbecks gymnasium', 'Katedral']
      expect(await findPasswordFault(password, { ...context, schools })).toBe('context')
    },
  )

  test('is refused at its field, and kept in one form of its characters', async () => {
    const feed = { highSchools: () => ({ content: null }) }
    const services = testServices({ env: { auth: { url: context.origin } }, feed })
    const hashNew = (password: string) => hashNewPassword(services, storedUser('eva'), password)
    await expect(hashNew('elevenchars')).rejects.toMatchObject({ field: 'password', reason: 'too-short' })
    const typed = 'räksmörgåsen på bordet'
    const hash = await hashNew(typed.normalize('NFD'))
    expect(await matchesPassword(hash, typed.normalize('NFC'))).toBe(true)
  })
})

test('a password is the same however its characters are put together, also one that was kept as it was typed', async () => {
  const [composed, apart] = ['räksmörgås'.normalize('NFC'), 'räksmörgås'.normalize('NFD')]
  const hash = await hashPassword(composed)
  expect([await matchesPassword(hash, composed), await matchesPassword(hash, apart)]).toEqual([true, true])
  const old = await hashPassword(apart)
  expect([await matchesPassword(old, apart), await matchesPassword(null, apart)]).toEqual([true, false])
  expect(await matchesPassword(hash, 'raksmorgas')).toBe(false)
})
