import { expect, test } from 'vitest'
import { minorByYear } from './minor-by-year'

test('who begins in a later year is under 16, who begins this year may be', () => {
  expect([2028, 2027, 2026, 2025].map((year) => minorByYear(year, 2026))).toEqual([
    'under-16',
    'under-16',
    'may-be-under-16',
    null,
  ])
})

test('no year and absurd years tell nothing', () => {
  expect([null, 9999, 0, -1].map((year) => minorByYear(year, 2026))).toEqual([null, null, null, null])
})
