import { expect, it } from 'vitest'
import { clockTime, dayAndLongMonth, dayAndMonth, fullDay, fullTime, monthName, monthNames } from './format-date'
import { epochDay } from './stockholm'

it('the full time leaves nothing to guess', () => {
  expect(fullTime(Date.parse('2026-11-20T07:12:00Z'), 'sv')).toBe('fre 20 nov 2026 08:12')
  expect(fullTime(Date.parse('2026-06-30T22:05:00Z'), 'en')).toBe('Wed 1 Jul 2026 00:05')
})

it('a measurement is shown to the second, in Stockholm', () => {
  const at = Date.parse('2026-11-20T07:12:04.900Z')
  expect(clockTime(at, 'sv')).toBe('08:12:04')
})

it.each([
  ['sv', '28 mars', '28 mars', '28 mars 2027', 'mars'],
  ['en', '28 Mar', '28 March', '28 Mar 2027', 'Mar'],
] as const)('a day is formatted by its number, whatever the clock (%s)', (locale, ...words) => {
  const day = epochDay('2027-03-28')
  expect([dayAndMonth, dayAndLongMonth, fullDay, monthName].map((word) => word(day, locale))).toEqual(words)
})

it('the months are in their order', () => {
  expect([monthNames('sv')[0], monthNames('sv')[11], monthNames('en')[4]]).toEqual(['januari', 'december', 'May'])
  expect(monthNames('en')).toHaveLength(12)
})
