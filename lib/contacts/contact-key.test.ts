import fc from 'fast-check'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { describe, expect, test } from 'vitest'
import { toComparableEmail } from './contact-key'
import { isLikePersonalNumber, normalizePhone, toE164 } from './phone'
import { formatPhone } from './plain-phone'
import { respelledEmail, respelledPhone } from './testing/respelled'

test('any spelling of a number, by whichever separators and digits, is the same number', () => {
  fc.assert(
    fc.property(respelledPhone('0701740605'), respelledPhone('+46701740605'), (national, international) => {
      for (const raw of [national, international]) expect([raw, normalizePhone(raw)]).toEqual([raw, '+46701740605'])
    }),
    { numRuns: 1_000 },
  )
  const others = ['0046701740605', '46701740605', '+46 (0)70-174 06 05', 'tel:+46-70-174-06-05', 'Mobil: 070-174 06 05']
  expect(others.map(toE164)).toEqual(Array(5).fill('+46701740605'))
})

const noNumbers = ['', 'ring mamma', '123', '+', '+46', '12 34 56 78', '+1234567890123456789']
const severalNumbers = ['0701740605, 0701740606', '08-465 004 12 #3', '070-1740605 (mamma)']
test.each([...noNumbers, ...severalNumbers])('"%s" is no phone, and none is guessed', (raw) => {
  expect(toE164(raw)).toBeNull()
})

test.each(['08-465 004 12', '+467000000000', '+47 22 22 55 55', 'ring mamma'])('%s is shown as it is', (raw) =>
  expect(formatPhone(raw)).toBe(raw),
)

const WANTED: ReadonlySet<unknown> = new Set(['MOBILE', 'FIXED_LINE', 'PAGER', 'UAN', 'VOIP', 'SHARED_COST'])

test.each([
  ['mobile', /^7\d{8}$/],
  ['landline', /^[1-689]\d{6,8}$/],
])('any Swedish %s number of a person or an office is grouped as libphonenumber groups it', (_kind, start) => {
  const number = fc
    .stringMatching(start)
    .map((national) => parsePhoneNumberFromString(`+46${national}`))
    .filter((parsed) => parsed !== undefined && parsed.isValid() && WANTED.has(parsed.getType()))
  const isAlike = fc.property(number, (parsed) => formatPhone(parsed?.number ?? '') === parsed?.formatNational())
  fc.assert(isAlike, { numRuns: 2_000 })
})

describe('what looks like a personal number', () => {
  const withSigns = ['080312-2386', '080312–2386', '080312 - 2386', '120229+0000', '2008-03-12-2386', '08-03-12-2386']
  const coordination = ['080372-2386']
  const digits = ['200803122386', '1203122386', '0803122386', '\u0660\u0668\u0660\u0663\u0661\u0662\u20112386']
  const likePhones = ['070123-4567', '460312-2386']
  test.each([...withSigns, ...coordination, ...digits, ...likePhones])('%s is text, and no phone', (raw) => {
    expect([isLikePersonalNumber(raw), toE164(raw), formatPhone(raw)]).toEqual([true, null, raw])
  })

  const phones = ['0701234567', '0701-23 45 67', '+46701234567', '0811031234', '4611123456', '+46 8 031 223 86']
  const noDates = ['080332-2386', '081312-2386', '090230-2386']
  test.each([...phones, ...noDates])('%s is a phone', (raw) => {
    expect([isLikePersonalNumber(raw), toE164(raw)]).toEqual([false, expect.stringMatching(/^\+46/)])
  })

  test('is compared like a phone of its digits, so that no sign shows who is protected by the number', () => {
    expect(['070123-4567', '20070123-4567', '0701234567'].map(normalizePhone)).toEqual(Array(3).fill('+46701234567'))
    expect(['120312-2386', '201203122386', '1203122386'].map(normalizePhone)).toEqual(Array(3).fill('120312-2386'))
  })
})

test('any spelling of an e-mail address is the same address', () => {
  fc.assert(
    fc.property(respelledEmail('elsa.ek-1@skola.se'), (raw) => {
      expect([raw, toComparableEmail(raw)]).toEqual([raw, 'elsa.ek-1@skola.se'])
    }),
    { numRuns: 1_000 },
  )
  for (const raw of ['mailto:elsa.ek-1@skola.se', '<elsa.ek-1@skola.se>', 'elsa.ek\u20111@skola.se'])
    expect(toComparableEmail(raw)).toBe('elsa.ek-1@skola.se')
  expect(toComparableEmail('åsa@skola.se')).not.toBe(toComparableEmail('asa@skola.se'))
})
