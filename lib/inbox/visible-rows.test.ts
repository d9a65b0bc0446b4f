import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scrollTopFor, visibleRows } from './visible-rows'

const HEIGHT = 58

test('shows the rows in the window and a few on either side', () => {
  expect(visibleRows(0, 580, HEIGHT, 75_000, 8)).toEqual({ first: 0, last: 17 })
  expect(visibleRows(5800, 580, HEIGHT, 75_000, 8)).toEqual({ first: 92, last: 117 })
  expect(visibleRows(75_000 * HEIGHT - 580, 580, HEIGHT, 75_000, 8)).toEqual({ first: 74_982, last: 74_999 })
})

test('a list that became shorter than the place it was scrolled to shows its end; an empty one nothing', () => {
  expect(visibleRows(58_000, 580, HEIGHT, 3, 8)).toEqual({ first: 0, last: 2 })
  expect(visibleRows(0, 580, HEIGHT, 0, 8)).toEqual({ first: 0, last: -1 })
})

test('a row that is sought is wholly in sight afterwards, and one in sight does not move', () => {
  fc.assert(
    fc.property(fc.nat(75_000), fc.nat(4_000_000), fc.integer({ min: HEIGHT, max: 2000 }), (row, scrollTop, height) => {
      const after = scrollTopFor(row, scrollTop, height, HEIGHT)
      expect(row * HEIGHT).toBeGreaterThanOrEqual(after)
      expect((row + 1) * HEIGHT).toBeLessThanOrEqual(after + height)
      expect(scrollTopFor(row, after, height, HEIGHT)).toBe(after)
    }),
  )
})
