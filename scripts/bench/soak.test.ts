import { expect, test } from 'vitest'
import { verdictOf } from './soak'

test('memory is steady or grows only where the whole interval of its slope says so', () => {
  expect(verdictOf({ slope: 20, error: 30 }, 60)).toBe('steady')
  expect(verdictOf({ slope: -40, error: 30 }, 60)).toBe('steady')
  expect(verdictOf({ slope: 100, error: 30 }, 60)).toBe('grows')
})

test('a limit within the interval is too short to tell, whichever side the slope itself is on', () => {
  expect(verdictOf({ slope: 140, error: 95 }, 60)).toBe('too short to tell')
  expect(verdictOf({ slope: 20, error: 95 }, 60)).toBe('too short to tell')
  expect(verdictOf({ slope: Number.NaN, error: Number.NaN }, 60)).toBe('too short to tell')
})
