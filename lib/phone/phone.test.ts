import { expect, test } from 'vitest'
import { displayPhone } from './display-phone'
import { phoneQueryDigits } from './phone-query-digits'
import { phoneSearchText } from './phone-search-text'
import { toE164 } from './to-e164'

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

test('every spelling, whole or in part, finds every spelling', () => {
  for (const stored of SPELLINGS)
    for (const query of [...SPELLINGS, '070-17', '+46 70 1', '0046 70', '74 06']) {
      expect(phoneSearchText(stored)).toContain(phoneQueryDigits(query))
    }
})

test('text that is more than a number is not searched as a phone', () => {
  expect(phoneQueryDigits('åsa 070')).toBeNull()
  expect(phoneQueryDigits('2')).toBeNull()
})

test('shows Swedish numbers the Swedish way and all others as they came', () => {
  expect(displayPhone('+46701740605')).toBe('070-174 06 05')
  expect(displayPhone('08-465 004 12')).toBe('08-465 004 12')
  expect(displayPhone('+46317001234')).toBe('031-700 12 34')
  expect(displayPhone('+467000000000')).toBe('+467000000000')
  expect(displayPhone('+47 22 22 55 55')).toBe('+47 22 22 55 55')
  expect(displayPhone('ring mamma')).toBe('ring mamma')
})
