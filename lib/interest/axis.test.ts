import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
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
    expect(ticksTo(4647, 5)).toEqual([0, 1000, 2000, 3000, 4000, 5000])
  })

  it('are fives where numbers are rounded to five, and "<5" is drawn between none and five', () => {
    expect(ticksTo(sizeOf('<5'), 3, 5)).toEqual([0, 5])
    expect(ticksTo(sizeOf(15), 3, 5)).toEqual([0, 5, 10, 15])
    expect(sizeOf('<5')).toBe(2.5)
  })
})

describe('labels at the ends of lines', () => {
  it('do not lie on each other and stay above the floor', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 3 }), (places) => {
        const spread = spreadLabels(places, 13, 200).toSorted((a, b) => a - b)
        for (const [index, y] of spread.entries()) {
          expect(y - (spread[index - 1] ?? -Infinity)).toBeGreaterThanOrEqual(13)
          expect(y).toBeLessThanOrEqual(200)
        }
      }),
    )
    expect(spreadLabels([50, 20], 13, 200)).toEqual([50, 20])
  })
})
