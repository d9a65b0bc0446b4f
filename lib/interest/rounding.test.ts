import { describe, expect, it } from 'vitest'
import type { Interest } from '@/lib/contract/interest'
import { snapshotAt } from '@/lib/inbox/testing/pages'
import { endOfCycleWeek, rounded, roundedInterest } from './rounding'

describe('a count', () => {
  it('is rounded to the nearest five, 1 to 4 is "<5" and none is 0', () => {
    const counts = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 1_002, 1_003]
    expect(counts.map(rounded)).toEqual([0, '<5', '<5', '<5', '<5', 5, 5, 5, 10, 10, 15, 1_000, 1_005])
    expect(rounded('<5')).toBe('<5')
  })
})

const none = { count: 0, counted: 0, withinGoal: null, medianMinutes: null, p90Minutes: null }
const snapshot = snapshotAt(1)

describe('how leads were answered', () => {
  const days = { from: null, to: null }
  const figures = (count: number, counted: number, withinGoal: number, medianMinutes: number, p90Minutes: number) => {
    const own = { count, counted, withinGoal, medianMinutes, p90Minutes }
    const ofSchools = { bySchool: [{ highSchoolId: 'n', ...own }], weeks: [{ week: '2026-W47', ...own }] }
    const exact: Interest = {
      cohort: 2027,
      byYearAndSchool: [],
      weeks: [],
      curves: [],
      handled: { medianMinutes, p90Minutes },
      answers: { ...days, ...none, ...ofSchools, lastYear: { ...days, ...own } },
      snapshot,
    }
    const { answers, handled } = roundedInterest(exact, count)
    const { highSchoolId: _, ...ofSchool } = answers.bySchool[0] ?? { highSchoolId: '', ...none }
    expect(answers.weeks).toEqual([{ week: '2026-W47', ...ofSchool }])
    expect(answers.lastYear).toEqual({ ...days, ...ofSchool })
    expect(handled).toEqual({ medianMinutes: ofSchool.medianMinutes, p90Minutes: ofSchool.p90Minutes })
    return ofSchool
  }

  it('has shares in whole per cent of at least 25, and times of at least 8', () => {
    const whole = { count: 10, counted: 25, withinGoal: 0.88, medianMinutes: 60 }
    expect(figures(8, 25, 0.8844, 60, 60)).toMatchObject(whole)
    expect(figures(7, 25, 0.8844, 60, 60)).toMatchObject({ count: 5, medianMinutes: null, p90Minutes: null })
    expect(figures(8, 24, 0.8844, 60, 60)).toMatchObject({ counted: 25, withinGoal: null })
  })

  it('has times in whole hours, and from two days on in whole days', () => {
    const [hour, day] = [60, 1_440]
    expect(figures(9, 0, 0, 29, 31)).toMatchObject({ medianMinutes: 0, p90Minutes: hour })
    expect(figures(9, 0, 0, 47.4 * hour, 47.6 * hour)).toMatchObject({ medianMinutes: 47 * hour, p90Minutes: 2 * day })
    expect(figures(9, 0, 0, 2.4 * day, 2.6 * day)).toMatchObject({ medianMinutes: 2 * day, p90Minutes: 3 * day })
  })
})

it('the weeks of a cycle end on its last day to apply, and whole weeks before and after it', () => {
  expect([-15, -14, -13, -7, -1, 0, 1, 7, 8].map(endOfCycleWeek)).toEqual([-14, -14, -7, -7, 0, 0, 7, 7, 14])
})
