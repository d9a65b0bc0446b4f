import { expect, it } from 'vitest'
import { computeQuantile } from './quantile'

it.each([
  [[1, 2, 3, 4], 0.5, 2.5],
  [[7], 0.9, 7],
  [[], 0.5, null],
])('a quantile is as in SQL: %j at %d', (ascending, share, expected) => {
  expect(computeQuantile(ascending, share)).toBe(expected)
})
