import { expect, test } from 'vitest'
import { replaceTitleCount } from './title-count'

test('the count stands before the title, takes the place of the last one, and goes when there is none', () => {
  expect(replaceTitleCount('Frågor · Intag', 1)).toBe('(1) Frågor · Intag')
  expect(replaceTitleCount('(1) Frågor · Intag', 12)).toBe('(12) Frågor · Intag')
  expect(replaceTitleCount('(12) Frågor · Intag', 0)).toBe('Frågor · Intag')
})
