import { expect, test, vi } from 'vitest'
import { snapshotAt } from '@/lib/inbox/testing/pages'
import { msUntilNext, refreshOptions } from './polling'
import { ApiError, send } from './send'

const NOW = Date.parse('2026-11-20T07:00:00.000Z')
const seen = (nextAt: string | null, error: unknown = null) => ({
  data: { snapshot: { ...snapshotAt(1), nextAt } },
  error,
  dataUpdatedAt: NOW,
})

test.each([
  ['when the next snapshot is due', seen('2026-11-20T07:00:12.000Z'), 12_000],
  ['every two seconds at most', seen('2026-11-20T06:59:00.000Z'), 2_000],
  ['as the server says without data', seen(null, new ApiError('not-ready', 503, 9_000)), 9_000],
  ['hardly where the user may not go', seen(null, new ApiError('unauthorized', 403)), 60_000],
])('asks again %s, a little spread out', (_, state, waitMs) => {
  expect(msUntilNext(state, 0)).toBe(waitMs)
  expect(msUntilNext(state, 0.999) - waitMs).toBeLessThan(2_000)
})

test.each([-180, 180])('by the server’s clock, which is %i seconds ahead', async (seconds) => {
  const date = new Date(Date.now() + seconds * 1000).toUTCString()
  vi.stubGlobal('fetch', async () => new Response('{}', { headers: { date } }))
  await send('/api/x', {})
  const state = { ...seen(new Date(Date.now() + seconds * 1000 + 12_000).toISOString()), dataUpdatedAt: Date.now() }
  const waitMs = msUntilNext(state, 0)
  vi.stubGlobal('fetch', async () => new Response('{}', { headers: { date: new Date().toUTCString() } }))
  await send('/api/x', {})
  vi.unstubAllGlobals()
  expect(Math.abs(waitMs - 12_000)).toBeLessThan(2_500)
})

test('with a live stream a list hardly asks by itself, unless its last asking failed', () => {
  const good = { state: seen('2026-11-20T07:00:12.000Z') }
  expect(refreshOptions(true).refetchInterval(good)).toBe(120_000)
  // Planned in 12 s; the server's clock is known to the second only, and tabs are spread over another 1.5.
  expect(refreshOptions(false).refetchInterval(good)).toBeLessThan(12_000 + 1_000 + 1_500)
  const failed = { state: seen(null, new ApiError('offline', 0)) }
  expect(refreshOptions(true).refetchInterval(failed)).toBeLessThan(10_000)
})
