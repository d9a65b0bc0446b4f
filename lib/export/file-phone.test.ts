import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toE164 } from '@/lib/contacts/phone'
import { formatPhoneForFile, GROUPED_PHONE } from './file-phone'

test.each([
  ['0701234567', '+46 70 123 45 67'],
  ['+46 (0)70-123 45 67', '+46 70 123 45 67'],
  ['08-123 456 78', '+46 8 123 456 78'],
  ['+467000000000', '+46 70 00 00 00 00'],
  ['+358 40 1234567', '+358 401 23 45 67'],
  ['+1 202 555 0143', '+1 20 25 55 01 43'],
  ['080312-2386', '080312-2386'],
  ['200803122386', '20080312-2386'],
  // Without the stray zero too short for a number.
  ['+46 00 000', '+46 00 000'],
  ['ring mamma', 'ring mamma'],
])('the phone %s is written as %s', (raw, written) => {
  expect(formatPhoneForFile(raw)).toBe(written)
})

test('a phone keeps every digit of a number that can be read, and never ends like thousands', () => {
  const digits = fc.stringMatching(/^[1-9]\d{6,14}$/)
  fc.assert(
    fc.property(digits, (number) => {
      fc.pre(toE164(`+${number}`) !== null)
      const written = formatPhoneForFile(`+${number}`)
      expect(written).toMatch(GROUPED_PHONE)
      expect(written).not.toMatch(/ \d{3}$/)
      expect(written.replaceAll(' ', '')).toBe(toE164(`+${number}`))
    }),
    { examples: [['46000000000'], ['4712345'], ['3581234']] },
  )
})
