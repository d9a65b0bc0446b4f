import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chooseTicks, spreadLabels } from './axis'
import { toCycleWeekEnd } from './cohort'
import { estimateCount, managerRounding } from './rounding'

test('counts for managers are to the nearest five, where 1 to 4 is "<5" and none is 0', () => {
  const counts = [0, 1, 4, 5, 7, 8, 12, 13, 1_002, 1_003]
  expect(counts.map(managerRounding.roundCount)).toEqual([0, '<5', '<5', 5, 5, 10, 10, 15, 1_000, 1_005])
})

test('shares for managers are in whole per cent of at least 25', () => {
  const { roundShare } = managerRounding
  expect([roundShare(22, 25), roundShare(221, 250), roundShare(22, 24)]).toEqual([0.88, 0.88, null])
})

test('times for managers are of at least 8, in whole hours, and from two days on in whole days', () => {
  const hours = [0.49, 0.51, 47.4, 47.6, 2.4 * 24, 2.6 * 24]
  const rounded = hours.map((time) => Number(managerRounding.roundMinutes(time * 60, 8)) / 60)
  expect(rounded).toEqual([0, 1, 47, 48, 48, 72])
  expect([managerRounding.roundMinutes(60, 7), managerRounding.roundMinutes(null, 8)]).toEqual([null, null])
})

test('the weeks of a cycle end on its last day to apply, and whole weeks before and after it', () => {
  expect([-15, -14, -13, -7, -1, 0, 1, 7, 8].map(toCycleWeekEnd)).toEqual([-14, -14, -7, -7, 0, 0, 7, 7, 14])
})

test('the lines of a chart are whole numbers from 0 up to the largest value or a little more', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000 }), (most) => {
      const ticks = chooseTicks(most)
      expect(ticks[0]).toBe(0)
      expect(ticks.every(Number.isInteger)).toBe(true)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(most)
      expect(ticks.length).toBeLessThanOrEqual(6)
    }),
  )
  expect(chooseTicks(4647)).toEqual([0, 1000, 2000, 3000, 4000, 5000])
})

test('the lines are fives where numbers are rounded, and "<5" is drawn between none and five', () => {
  expect(estimateCount('<5')).toBe(2.5)
  expect(chooseTicks(2.5, 5)).toEqual([0, 5])
  expect(chooseTicks(15, 5)).toEqual([0, 5, 10, 15])
})

test('labels at the ends of lines keep their order and do not lie on each other', () => {
  const spread = spreadLabels([{ y: 50 }, { y: 20 }, { y: 22 }, { y: 20 }])
  expect(spread.map(({ y }) => y)).toEqual([20, 34, 48, 62])
})
