import { expect, test } from 'vitest'
import { subtractMonths } from './delete-old'

test.each([
  ['2026-11-17', 24, '2024-11-17'],
  ['2026-03-31', 1, '2026-02-28'],
  ['2028-02-29', 24, '2026-02-28'],
  ['2026-01-31', 3, '2025-10-31'],
])('%s less %i months is %s', (day, months, expected) => {
  expect(subtractMonths(Date.parse(`${day}T02:00:00.000Z`), months).toISOString()).toBe(`${expected}T02:00:00.000Z`)
})
