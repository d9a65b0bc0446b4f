import { expect, test } from 'vitest'
import { unworked } from '@/lib/leads/testing/leads'
import { epochDay } from '@/lib/time/stockholm'
import { deadlineOf } from './lead-body'

const now = Date.parse('2026-11-23T08:00:00Z')

test.each([
  ['2026-11-23', false, 'today'],
  ['2026-11-24', false, 'by'],
  ['2026-11-20', true, 'late'],
])('the goal of %s (late: %s) stands as %s', (due, late, is) => {
  const deadline = deadlineOf({ ...unworked, waitingSince: '2026-11-20T08:00:00Z', due, late }, now)
  expect(deadline).toEqual({ day: epochDay(due), is })
})

test('what needs no answer has no deadline', () => {
  expect(deadlineOf({ ...unworked, waitingSince: null, due: '2026-11-24' }, now)).toBeNull()
  expect(deadlineOf({ ...unworked, waitingSince: '2026-11-20T08:00:00Z', due: null }, now)).toBeNull()
})
