import fc from 'fast-check'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { expect, test } from 'vitest'
import { displayPhone } from './display-phone'

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

test('every way of writing it looks the same', () => {
  for (const raw of ['+46743015299', '0743-01 52 99', '0046 (0)74 301 52 99']) {
    expect(displayPhone(raw)).toBe('074-301 52 99')
  }
})
