import fc from 'fast-check'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { describe, expect, test } from 'vitest'
import { isLikePersonalNumber, phoneText, toE164 } from './phone'
import { displayPhone } from './plain-phone'
import { respelledPhone } from './testing/respelled'

/** One Swedish mobile number in the ways people write it. */
const SPELLINGS = [
  '070-174 06 05',
  '+46 70 174 06 05',
  '0046701740605',
  '+46 (0)70-174 06 05',
  '46701740605',
  '070.174.06.05',
  'tel:+46-70-174-06-05',
  'Mobil: 070-174 06 05',
  '[070] 174·06·05,',
  '070\u2011174\u221206\u206605\u2069',
  '\uff0b\uff14\uff16\u200b70\u00ad174\u20600605',
  '\u0660\u0667\u0660-\u0661\u0667\u0664 \u06f0\u06f6 \u06f0\u06f5',
]

test('every spelling of one Swedish number is the same E.164 number', () => {
  expect(new Set(SPELLINGS.map(toE164))).toEqual(new Set(['+46701740605']))
})

test('any spelling of a number, by whichever separators and digits, is the same number', () => {
  fc.assert(
    fc.property(respelledPhone('0701740605'), respelledPhone('+46701740605'), (national, international) => {
      for (const raw of [national, international]) expect([raw, phoneText(raw)]).toEqual([raw, '+46701740605'])
    }),
    { numRuns: 1_000 },
  )
})

test('what is no phone number is null, never a guess', () => {
  for (const raw of [
    '',
    'ring mamma',
    '0701740605, 0701740606',
    '08-465 004 12 #3',
    '070-1740605 (mamma)',
    '123',
    '+',
    '+46',
    '12 34 56 78',
    '+1234567890123456789',
  ])
    expect(toE164(raw)).toBeNull()
})

test.each([
  ['+46701740605', '070-174 06 05'],
  ['08-465 004 12', '08-465 004 12'],
  ['+46317001234', '031-700 12 34'],
  ['+467000000000', '+467000000000'],
  ['+47 22 22 55 55', '+47 22 22 55 55'],
  ['ring mamma', 'ring mamma'],
  ...['+46743015299', '0743-01 52 99', '0046 (0)74 301 52 99'].map((raw) => [raw, '074-301 52 99']),
])('%s is shown as %s', (raw, shown) => expect(displayPhone(raw)).toBe(shown))

const WANTED: ReadonlySet<unknown> = new Set(['MOBILE', 'FIXED_LINE', 'PAGER', 'UAN', 'VOIP', 'SHARED_COST'])

/** A number of Sweden that can be a person's or an office's, as libphonenumber knows the numbering plan. */
const swedishNumber = (start: RegExp) =>
  fc
    .stringMatching(start)
    .map((national) => parsePhoneNumberFromString(`+46${national}`))
    .filter((number) => number !== undefined && number.isValid() && WANTED.has(number.getType()))

test.each([
  ['mobile', /^7\d{8}$/],
  ['landline', /^[1-689]\d{6,8}$/],
])('any Swedish %s number is grouped as libphonenumber groups it', (_kind, start) => {
  fc.assert(
    fc.property(swedishNumber(start), (number) => {
      expect(displayPhone(number?.number ?? '')).toBe(number?.formatNational())
    }),
    { numRuns: 2_000 },
  )
})

describe('what looks like a personal number', () => {
  test.each([
    '080312-2386',
    '080312–2386',
    '080312 - 2386',
    '080372-2386',
    '120229+0000',
    '20080312-2386',
    '200803122386',
    '2008-03-12-2386',
    '08-03-12-2386',
    '1203122386',
    '0803122386',
    '070123-4567',
    '460312-2386',
    '\u0660\u0668\u0660\u0663\u0661\u0662\u20112386',
  ])('%s is text, and no phone', (raw) => {
    expect([isLikePersonalNumber(raw), toE164(raw), displayPhone(raw)]).toEqual([true, null, raw])
  })

  test.each([
    '0701234567',
    '070-123 45 67',
    '0701-23 45 67',
    '+46701234567',
    '08-110 312 34',
    '0811031234',
    '4611123456',
    '+46 8 031 223 86',
    '080332-2386',
    '081312-2386',
    '090230-2386',
  ])('%s is a phone', (raw) => {
    expect([isLikePersonalNumber(raw), toE164(raw)]).toEqual([false, expect.stringMatching(/^\+46/)])
  })

  test('is compared like a phone of its digits, so that no sign shows who is protected by the number', () => {
    expect(['070123-4567', '20070123-4567', '0701234567'].map(phoneText)).toEqual(Array(3).fill('+46701234567'))
    expect(['120312-2386', '201203122386', '1203122386'].map(phoneText)).toEqual(Array(3).fill('120312-2386'))
  })
})
