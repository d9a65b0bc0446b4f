import { expect, test } from 'vitest'
import { unworked } from '@/lib/leads/testing/leads'
import { epochDay } from '@/lib/time/stockholm'
import { waitedOf } from './lead-body'

const now = Date.parse('2026-11-23T08:00:00Z')
test('a lead has waited so many days of the calendar, in Stockholm; one that needs no answer does not wait', () => {
  const since = (waitingSince: string | null) => waitedOf({ ...unworked, waitingSince }, now)?.days
  expect(since('2026-11-23T07:00:00Z')).toBe(0)
  expect(since('2026-11-22T23:30:00Z'), 'past midnight in Stockholm').toBe(0)
  expect(since('2026-11-22T22:30:00Z')).toBe(1)
  expect(since('2026-11-20T22:30:00Z')).toBe(3)
  expect(since(null)).toBeUndefined()
})

test.each([
  ['2026-11-23', false, 'today'],
  ['2026-11-24', false, 'by'],
  ['2026-11-20', true, 'late'],
])('the goal of %s (late: %s) stands as %s', (due, late, is) => {
  const waited = waitedOf({ ...unworked, waitingSince: '2026-11-20T08:00:00Z', due, late }, now)
  expect(waited?.goal).toEqual({ day: epochDay(due), is })
})
