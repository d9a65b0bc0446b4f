import { expect, test } from 'vitest'
import { periodOf, presetOf } from './period'

test('the last days end today, over the turn of a month and of the clock', () => {
  expect(periodOf('today', '2026-11-20')).toEqual({ from: '2026-11-20', to: null })
  expect(periodOf('7-days', '2026-03-31')).toEqual({ from: '2026-03-25', to: null })
  expect(periodOf('30-days', '2026-01-15')).toEqual({ from: '2025-12-17', to: null })
})

test('knows a preset again, and a period of the person’s own', () => {
  expect(presetOf({ from: '2026-11-14', to: null }, '2026-11-20')).toBe('7-days')
  expect(presetOf({ from: '2026-11-14', to: '2026-11-20' }, '2026-11-20')).toBeNull()
  expect(presetOf({ from: null, to: null }, '2026-11-20')).toBeNull()
})
