import { expect, it } from 'vitest'
import { expectedLeadsPerHour } from './arrival-times'

it('the hours of three years have all leads', () => {
  const end = Date.UTC(2026, 10, 21, 22, 30)
  let sum = 0
  for (let hour = 0; hour < 365 * 24; hour++) sum += expectedLeadsPerHour(3_000, end - hour * 3_600_000)
  expect(sum).toBeGreaterThan(990)
  expect(sum).toBeLessThan(1_010)
})
