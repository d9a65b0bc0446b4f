import { expect, test } from 'vitest'
import { addTitleCount } from './browser-tab'

test('the count stands before the title, takes the place of the last one, and goes when there is none', () => {
  expect(addTitleCount('Frågor · Intag', 1)).toBe('(1) Frågor · Intag')
  expect(addTitleCount('(1) Frågor · Intag', 12)).toBe('(12) Frågor · Intag')
  expect(addTitleCount('(12) Frågor · Intag', 0)).toBe('Frågor · Intag')
})
