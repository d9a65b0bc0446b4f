import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { sizeOf, spreadLabels, ticksTo } from './axis'

describe('the lines of a chart', () => {
  it('are whole numbers from 0 up to the largest value or a little more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), (most) => {
        const ticks = ticksTo(most)
        expect(ticks[0]).toBe(0)
        expect(ticks.every(Number.isInteger)).toBe(true)
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(most)
        expect(ticks.length).toBeLessThanOrEqual(6)
      }),
    )
    expect(ticksTo(4647)).toEqual([0, 1000, 2000, 3000, 4000, 5000])
  })

  it('are fives where numbers are rounded to five, and "<5" is drawn between none and five', () => {
    expect(ticksTo(sizeOf('<5'), 5)).toEqual([0, 5])
    expect(ticksTo(sizeOf(15), 5)).toEqual([0, 5, 10, 15])
    expect(sizeOf('<5')).toBe(2.5)
  })
})

test('labels at the ends of lines keep their order and do not lie on each other', () => {
  const spread = spreadLabels([{ y: 50 }, { y: 20 }, { y: 22 }, { y: 20 }])
  expect(spread.map(({ y }) => y)).toEqual([20, 34, 48, 62])
})
