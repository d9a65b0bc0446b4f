import { expect, test } from 'vitest'
import { titleWithCount } from './browser-tab'

test('the count stands before the title, takes the place of the last one, and goes when there is none', () => {
  expect(titleWithCount('Frågor · Intag', 1)).toBe('(1) Frågor · Intag')
  expect(titleWithCount('(1) Frågor · Intag', 12)).toBe('(12) Frågor · Intag')
  expect(titleWithCount('(12) Frågor · Intag', 0)).toBe('Frågor · Intag')
})
