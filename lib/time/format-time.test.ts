import { expect, it } from 'vitest'
import { formatEpochDay, formatFullTime } from './format-date'
import { formatDayAndTime, formatRelativeDay, formatShortDuration, formatSince } from './format-time'
import { parseIsoDay } from './stockholm'

const now = Date.parse('2026-11-20T09:00:00Z')

it.each([
  ['since midnight of Stockholm, not of UTC', '2026-11-19T23:00:00Z', 'sv', 'i dag'],
  ['yesterday', '2026-11-18T23:00:00Z', 'en', 'yesterday'],
  ['before that', '2026-03-01T12:00:00Z', 'en', '1 Mar'],
  ['in another year', '2025-11-18T12:00:00Z', 'sv', '18 nov 2025'],
  ['in the year of Stockholm, not of UTC', '2025-12-31T23:30:00Z', 'sv', '1 jan'],
] as const)('a row says of a moment %s (%s, %s) %s', (_, moment, locale, text) => {
  expect(formatRelativeDay(Date.parse(moment), now, locale)).toBe(text)
})

it.each([
  ['2026-11-20T07:12:00Z', 'sv', 'i dag 08:12', '08:12', 'fre 20 nov 2026 08:12'],
  ['2026-11-19T18:30:00Z', 'en', 'yesterday 19:30', 'yesterday 19:30', 'Thu 19 Nov 2026 19:30'],
] as const)('an event of %s (%s) was %s, is since %s, and in full %s', (moment, locale, ...texts) => {
  const ms = Date.parse(moment)
  const formatted = [formatDayAndTime(ms, now, locale), formatSince(ms, now, locale), formatFullTime(ms, locale)]
  expect(formatted).toEqual(texts)
})

it.each([
  [-5000, 'sv', '0 s'],
  [59_999, 'sv', '59 s'],
  [60_000, 'sv', '1 min'],
  [3_600_000, 'sv', '1 tim'],
  [48 * 3_600_000, 'sv', '2 d'],
  [180_000, 'en', '3m'],
] as const)('%i ms is in %s %s', (ms, locale, text) => {
  expect(formatShortDuration(ms, locale).replace(/\s/g, ' ')).toBe(text)
})

it.each([
  ['sv', ['28 mars', '28 mars 2027', 'mars']],
  ['en', ['28 Mar', '28 Mar 2027', 'Mar']],
] as const)('a day is formatted by its number (%s)', (locale, words) => {
  const day = parseIsoDay('2027-03-28')
  const formats = ['dayMonth', 'full', 'month'] as const
  expect(formats.map((format) => formatEpochDay(day, format, locale))).toEqual(words)
})
