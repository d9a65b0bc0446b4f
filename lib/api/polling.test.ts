import { expect, test } from 'vitest'
import { pollUnlessLive } from './polling'
import { ApiError } from './send'

test('with a live stream a query hardly asks by itself, unless its last request failed; tabs ask spread out', () => {
  const good = { state: { error: null } }
  const failed = { state: { error: new ApiError('offline', 0) } }
  expect(pollUnlessLive(true)(good)).toBe(120_000)
  expect(pollUnlessLive(false, undefined, 0)(good)).toBe(10_000)
  expect(pollUnlessLive(true, 30_000, 1)(failed)).toBe(31_500)
})
