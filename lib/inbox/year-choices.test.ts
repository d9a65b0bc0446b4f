import { expect, test } from 'vitest'
import { yearChoices } from './year-choices'

test('last year and the four to come are always there, and any other that leads have', () => {
  expect(yearChoices(2026, [], [])).toEqual({ years: [2025, 2026, 2027, 2028, 2029, 2030], others: [] })
  expect(yearChoices(2026, [2027, 2023], [2031]).years).toEqual([2023, 2025, 2026, 2027, 2028, 2029, 2030, 2031])
})

test('what cannot be right is no year of its own, whether leads have it or the address asks for it', () => {
  const { years, others } = yearChoices(2026, [0, 1027, 2027], [20_027])
  expect(years).toEqual([2025, 2026, 2027, 2028, 2029, 2030])
  expect(others).toEqual([0, 1027, 20_027])
})
