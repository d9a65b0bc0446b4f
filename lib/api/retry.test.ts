import { expect, test } from 'vitest'
import { retryDelayMs, shouldRetry } from './retry'
import { ApiError } from './send'

test.each([
  [new ApiError('offline', 0), [true, true, false], [1_000, 2_000, 10_000]],
  [new ApiError('not-ready', 503, 6_000), [true, false, false], [6_000, 6_000, 6_000]],
  // Longer than a retry waits: the status tells when there is data.
  [new ApiError('not-ready', 503, 300_000), [false, false, false], [10_000, 10_000, 10_000]],
  [new ApiError('refused', 400), [false, false, false], [1_000, 2_000, 10_000]],
])('after %o: retried %j, in %j ms, not by all browsers at the same moment', (error, isRetried, waits) => {
  expect([0, 1, 2].map((failures) => shouldRetry(failures, error))).toEqual(isRetried)
  expect([0, 1, 9].map((failures) => retryDelayMs(failures, error, 0))).toEqual(waits)
  expect(retryDelayMs(0, error, 0.999)).toBeGreaterThan((waits[0] ?? 0) + 900)
})
