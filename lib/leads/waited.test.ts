import { expect, it } from 'vitest'
import { epochDay } from '@/lib/time/stockholm'
import { waitedOf } from './waited'

const work = { attempts: { count: 0, last: null }, snoozeUntil: null, late: false }
const now = Date.parse('2026-11-23T08:00:00Z')

it('is counted in days of the calendar, in Stockholm', () => {
  const since = (waitingSince: string) => waitedOf({ ...work, waitingSince, due: null }, now)?.days
  expect(since('2026-11-23T07:00:00Z')).toBe(0)
  expect(since('2026-11-22T23:30:00Z'), 'past midnight in Stockholm').toBe(0)
  expect(since('2026-11-22T22:30:00Z')).toBe(1)
  expect(since('2026-11-20T22:30:00Z')).toBe(3)
})

it('says how the goal stands', () => {
  const goal = (due: string, late = false) =>
    waitedOf({ ...work, waitingSince: '2026-11-20T08:00:00Z', due, late }, now)?.goal
  expect(goal('2026-11-23')).toEqual({ day: epochDay('2026-11-23'), is: 'today' })
  expect(goal('2026-11-24')?.is).toBe('by')
  expect(goal('2026-11-20', true)?.is).toBe('late')
})

it('nobody waits where nobody has to answer', () => {
  expect(waitedOf({ ...work, waitingSince: null, due: null }, now)).toBeNull()
})
