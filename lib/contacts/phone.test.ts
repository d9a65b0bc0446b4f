import fc from 'fast-check'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { expect, test } from 'vitest'
import { displayPhone, toE164 } from './phone'

/** One Swedish mobile number in the ways people write it. */
const SPELLINGS = [
  '070-174 06 05',
  '+46 70 174 06 05',
  '0046701740605',
  '+46 (0)70-174 06 05',
  '46701740605',
  '070.174.06.05',
]

test('every spelling of one Swedish number is the same E.164 number', () => {
  expect(new Set(SPELLINGS.map(toE164))).toEqual(new Set(['+46701740605']))
})

test('what is no phone number is null, never a guess', () => {
  for (const raw of ['', 'ring mamma', '123', '+', '+46', '12 34 56 78', '+1234567890123456789'])
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
