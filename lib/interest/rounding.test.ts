import { describe, expect, it } from 'vitest'
import { endOfCycleWeek, rounded } from './rounding'

describe('numbers for managers', () => {
  it('are counts to the nearest five, where 1 to 4 is "<5" and none is 0', () => {
    const counts = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 1_002, 1_003]
    expect(counts.map(rounded.count)).toEqual([0, '<5', '<5', '<5', '<5', 5, 5, 5, 10, 10, 15, 1_000, 1_005])
  })

  it('are shares in whole per cent of at least 25', () => {
    expect([rounded.share(22, 25), rounded.share(221, 250), rounded.share(22, 24)]).toEqual([0.88, 0.88, null])
  })

  it('are times of at least 8, in whole hours, and from two days on in whole days', () => {
    const [hour, day] = [60, 1_440]
    const times = [29, 31, 47.4 * hour, 47.6 * hour, 2.4 * day, 2.6 * day]
    expect(times.map((minutes) => rounded.minutes(minutes, 8))).toEqual([0, hour, 47 * hour, 2 * day, 2 * day, 3 * day])
    expect([rounded.minutes(60, 7), rounded.minutes(null, 8)]).toEqual([null, null])
  })
})

it('the weeks of a cycle end on its last day to apply, and whole weeks before and after it', () => {
  expect([-15, -14, -13, -7, -1, 0, 1, 7, 8].map(endOfCycleWeek)).toEqual([-14, -14, -7, -7, 0, 0, 7, 7, 14])
})
