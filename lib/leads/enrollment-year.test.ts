import { expect, test } from 'vitest'
import { isPlausibleYear } from '@/lib/contract/lists'
import { classifyMinor, yearChoices } from './enrollment-year'

test('a year is plausible from four years back to five years ahead', () => {
  expect([null, 0, -1, 1027, 20_027, 2021, 2032].some((year) => isPlausibleYear(year, 2026))).toBe(false)
  expect([2022, 2027, 2031].every((year) => isPlausibleYear(year, 2026))).toBe(true)
})

test('who begins in a later year is under 16, who begins this year may be; no year and absurd ones say nothing', () => {
  const under16 = [2028, 2027].map((year) => classifyMinor(year, 2026))
  expect([...under16, classifyMinor(2026, 2026)]).toEqual(['under-16', 'under-16', 'may-be-under-16'])
  for (const year of [2025, null, 9999, 0, -1]) expect(classifyMinor(year, 2026)).toBeNull()
})

test('last year and the four to come are offered, and any plausible one that leads have', () => {
  expect(yearChoices(2026, [], [])).toEqual({ years: [2025, 2026, 2027, 2028, 2029, 2030], others: [] })
  expect(yearChoices(2026, [2027, 2023], [2031]).years).toEqual([2023, 2025, 2026, 2027, 2028, 2029, 2030, 2031])
  expect(yearChoices(2026, [0, 1027, 2027], [20_027])).toEqual({
    years: [2025, 2026, 2027, 2028, 2029, 2030],
    others: [0, 1027, 20_027],
  })
})
