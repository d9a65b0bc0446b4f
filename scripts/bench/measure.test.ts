import { expect, test } from 'vitest'
import { slopeOf } from './measure'

test('a line has its slope, without doubt', () => {
  const { slope, error } = slopeOf([0, 1, 2, 3].map((x) => ({ x, y: 5 + 3 * x })))
  expect(slope).toBeCloseTo(3)
  expect(error).toBeCloseTo(0)
})

test('what swings slowly is told with more doubt than what swings at once', () => {
  const swinging = (every: number) =>
    slopeOf(Array.from({ length: 48 }, (_, x) => ({ x, y: Math.floor(x / every) % 2 })))
  expect(swinging(6).error).toBeGreaterThan(2 * swinging(1).error)
})
