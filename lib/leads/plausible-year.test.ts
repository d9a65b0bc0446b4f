import { expect, it } from 'vitest'
import { isPlausibleYear } from './plausible-year'

it('a year is plausible from four years back to five years ahead', () => {
  expect([null, 0, -1, 1027, 20_027, 2021, 2032].some((year) => isPlausibleYear(year, 2026))).toBe(false)
  expect([2022, 2027, 2031].every((year) => isPlausibleYear(year, 2026))).toBe(true)
})
