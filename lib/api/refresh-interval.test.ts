import { expect, test } from 'vitest'
import { ApiError } from './api-error'
import { refreshOptions, untilNext } from './refresh-interval'

const NOW = Date.parse('2026-11-20T07:00:00.000Z')
const seen = (nextAt: string | null, error: unknown = null) => ({
  data: { snapshot: { fetchedAt: '', nextAt, stale: false, problem: null, version: 1, unreadable: 0 } },
  error,
  dataUpdatedAt: NOW,
})

test('asks again when the next snapshot is due, a little spread out', () => {
  expect(untilNext(seen('2026-11-20T07:00:12.000Z'), 0)).toBe(12_000)
  const latest = untilNext(seen('2026-11-20T07:00:12.000Z'), 0.999)
  expect(latest).toBeGreaterThan(12_000)
  expect(latest).toBeLessThan(14_000)
})

test('never more often than every two seconds, however late the snapshot is', () => {
  expect(untilNext(seen('2026-11-20T06:59:00.000Z'), 0)).toBe(2_000)
})

test('waits as long as the server asks when there is no data yet', () => {
  expect(untilNext(seen(null, new ApiError('not-ready', 503, 9_000)), 0)).toBe(9_000)
})

test('hardly asks where the person may not go', () => {
  expect(untilNext(seen(null, new ApiError('unauthorized', 403)), 0)).toBeGreaterThanOrEqual(60_000)
})

test('while the live stream tells of changes a list hardly asks by itself, unless its last asking failed', () => {
  const good = { state: seen('2026-11-20T07:00:12.000Z') }
  expect(refreshOptions(true).refetchInterval(good)).toBe(120_000)
  expect(refreshOptions(false).refetchInterval(good)).toBeLessThan(14_000)
  const failed = { state: seen(null, new ApiError('offline', 0)) }
  expect(refreshOptions(true).refetchInterval(failed)).toBeLessThan(10_000)
})
