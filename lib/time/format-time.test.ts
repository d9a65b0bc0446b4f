import { describe, expect, it } from 'vitest'
import { dayAndTime, shortDuration, shortTime, sinceTime } from './format-time'

const now = Date.parse('2026-11-20T09:00:00Z')
const short = (iso: string, locale: 'sv' | 'en' = 'sv') => shortTime(Date.parse(iso), now, locale)

describe('the time on a row', () => {
  it('is the clock today, in Stockholm', () => {
    expect(short('2026-11-20T07:12:00Z')).toBe('08:12')
    expect(short('2026-11-19T23:00:00Z')).toBe('00:00')
  })

  it('is yesterday up to the midnight of Stockholm, not of UTC', () => {
    expect(short('2026-11-19T22:59:59Z')).toBe('i går')
    expect(short('2026-11-18T23:00:00Z', 'en')).toBe('yesterday')
  })

  it('is the date before that, with the year once it is another', () => {
    expect(short('2026-11-18T12:00:00Z')).toBe('18 nov')
    expect(short('2025-11-18T12:00:00Z')).toBe('18 nov 2025')
    expect(short('2026-03-01T12:00:00Z', 'en')).toBe('1 Mar')
    expect(short('2025-12-31T23:30:00Z')).toBe('1 jan')
  })

  it('knows yesterday also after a night of 25 hours', () => {
    const morningAfter = Date.parse('2026-10-26T00:30:00+01:00')
    expect(shortTime(Date.parse('2026-10-25T00:10:00+02:00'), morningAfter, 'sv')).toBe('i går')
    expect(shortTime(Date.parse('2026-10-24T23:50:00+02:00'), morningAfter, 'sv')).toBe('24 okt')
  })

  it('shows a moment ahead of us (another clock) as it is', () => {
    expect(short('2026-11-20T09:00:30Z')).toBe('10:00')
    expect(short('2026-11-21T09:00:00Z')).toBe('21 nov')
  })
})

it('the time of an event has its day and its clock', () => {
  expect(dayAndTime(Date.parse('2026-11-20T07:12:00Z'), now, 'sv')).toBe('i dag 08:12')
  expect(dayAndTime(Date.parse('2026-11-19T18:30:00Z'), now, 'en')).toBe('yesterday 19:30')
  expect(dayAndTime(Date.parse('2026-11-12T16:02:00Z'), now, 'sv')).toBe('12 nov 17:02')
})

it('since when needs no day today', () => {
  expect(sinceTime(Date.parse('2026-11-20T07:12:00Z'), now, 'sv')).toBe('08:12')
  expect(sinceTime(Date.parse('2026-11-19T18:30:00Z'), now, 'sv')).toBe('i går 19:30')
})

it.each([
  [-5000, '0 s'],
  [8999, '8 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [3_599_000, '59 min'],
  [2 * 3_600_000, '2 tim'],
  [47 * 3_600_000, '47 tim'],
  [5 * 86_400_000, '5 d'],
])('%i ms is %s', (ms, text) => {
  expect(shortDuration(ms, 'sv').replace(/\s/g, ' ')).toBe(text)
})

it('durations are shorter still in English', () => {
  expect(shortDuration(180_000, 'en')).toBe('3m')
})
