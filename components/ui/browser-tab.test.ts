import { expect, test } from 'vitest'
import { titleWithCount } from './browser-tab'

test('the count stands before the title, takes the place of the last one, and goes when there is none', () => {
  const one = titleWithCount('Frågor · Intag', 1)
  expect(one).toBe('(1) Frågor · Intag')
  const twelve = titleWithCount(one, 12)
  expect(twelve).toBe('(12) Frågor · Intag')
  expect(titleWithCount(twelve, 0)).toBe('Frågor · Intag')
})
