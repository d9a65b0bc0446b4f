import { expect, it } from 'vitest'
import { dayAndTime, dayWord, shortDuration, sinceTime } from './format-time'

const at = (iso: string) => Date.parse(iso)
const now = at('2026-11-20T09:00:00Z')

it.each([
  ['today, in Stockholm', '2026-11-20T07:12:00Z', 'sv', 'i dag'],
  ['since midnight of Stockholm, not of UTC', '2026-11-19T23:00:00Z', 'sv', 'i dag'],
  ['yesterday', '2026-11-19T22:59:59Z', 'sv', 'i går'],
  ['yesterday, in English', '2026-11-18T23:00:00Z', 'en', 'yesterday'],
  ['before that', '2026-11-18T12:00:00Z', 'sv', '18 nov'],
  ['in another year', '2025-11-18T12:00:00Z', 'sv', '18 nov 2025'],
  ['before that, in English', '2026-03-01T12:00:00Z', 'en', '1 Mar'],
  ['in the year of Stockholm, not of UTC', '2025-12-31T23:30:00Z', 'sv', '1 jan'],
  ['ahead of us, by another clock', '2026-11-20T09:00:30Z', 'sv', 'i dag'],
  ['tomorrow, by another clock', '2026-11-21T09:00:00Z', 'sv', '21 nov'],
] as const)('a row says of a moment %s (%s, %s) %s', (_, moment, locale, text) => {
  expect(dayWord(at(moment), now, locale)).toBe(text)
})

it('yesterday is known also after a night of 25 hours', () => {
  const morningAfter = at('2026-10-26T00:30:00+01:00')
  expect(dayWord(at('2026-10-25T00:10:00+02:00'), morningAfter, 'sv')).toBe('i går')
  expect(dayWord(at('2026-10-24T23:50:00+02:00'), morningAfter, 'sv')).toBe('24 okt')
})

it.each([
  ['2026-11-20T07:12:00Z', 'sv', 'i dag 08:12', '08:12'],
  ['2026-11-19T18:30:00Z', 'en', 'yesterday 19:30', 'yesterday 19:30'],
  ['2026-11-12T16:02:00Z', 'sv', '12 nov 17:02', '12 nov 17:02'],
] as const)('an event of %s (%s) was %s, and is since %s', (moment, locale, text, since) => {
  expect(dayAndTime(at(moment), now, locale)).toBe(text)
  expect(sinceTime(at(moment), now, locale)).toBe(since)
})

it.each([
  [-5000, 'sv', '0 s'],
  [8999, 'sv', '8 s'],
  [59_999, 'sv', '59 s'],
  [60_000, 'sv', '1 min'],
  [3_599_000, 'sv', '59 min'],
  [2 * 3_600_000, 'sv', '2 tim'],
  [47 * 3_600_000, 'sv', '47 tim'],
  [5 * 86_400_000, 'sv', '5 d'],
  [180_000, 'en', '3m'],
] as const)('%i ms is in %s %s', (ms, locale, text) => {
  expect(shortDuration(ms, locale).replace(/\s/g, ' ')).toBe(text)
})
