import { expect, test, vi } from 'vitest'
import { snapshotAt } from '@/lib/inbox/testing/pages'
import { computeStatusInterval, msUntilNext, refreshOptions } from './polling'
import { ApiError, send } from './send'

const NOW = Date.parse('2026-11-20T07:00:00.000Z')
const stateAt = (nextAt: string | null, error: unknown = null) => ({
  data: { snapshot: { ...snapshotAt(1), nextAt } },
  error,
  dataUpdatedAt: NOW,
})

test.each([
  ['when the next snapshot is due', stateAt('2026-11-20T07:00:12.000Z'), 12_000],
  ['every two seconds at most', stateAt('2026-11-20T06:59:00.000Z'), 2_000],
  ['after 15 seconds while none is planned', stateAt(null), 15_000],
  ['as the server says without data', stateAt(null, new ApiError('not-ready', 503, 9_000)), 9_000],
  ['hardly where the user may not go', stateAt(null, new ApiError('unauthorized', 403)), 60_000],
])('asks again %s, a little spread out', (_, state, waitMs) => {
  expect(msUntilNext(state, 0)).toBe(waitMs)
  expect(msUntilNext(state, 0.999) - waitMs).toBeLessThan(2_000)
})

test.each([-180, 180])('by the server’s clock, which is %i seconds ahead', async (seconds) => {
  const learnClock = async (aheadMs: number) => {
    const headers = { date: new Date(Date.now() + aheadMs).toUTCString() }
    vi.stubGlobal('fetch', async () => new Response('{}', { headers }))
    await send('/api/x', {})
  }
  await learnClock(seconds * 1000)
  const nextAt = new Date(Date.now() + seconds * 1000 + 12_000).toISOString()
  const waitMs = msUntilNext({ ...stateAt(nextAt), dataUpdatedAt: Date.now() }, 0)
  await learnClock(0)
  expect(Math.abs(waitMs - 12_000)).toBeLessThan(2_500)
})

const inSeconds = (seconds: number) => new Date(NOW + seconds * 1000).toISOString()
const statusWith = (nextInSeconds: number[], retryInSeconds?: number) => {
  const [questions = null, declarations = null, schools = null] = nextInSeconds.map((seconds) => {
    return { ...snapshotAt(1), nextAt: inSeconds(seconds) }
  })
  const problem = { list: 'asked-questions', kind: 'unavailable', since: inSeconds(-10) } as const
  return {
    now: inSeconds(0),
    lists: { 'asked-questions': questions, 'declarations-of-interest': declarations, 'high-schools': schools },
    problems: retryInSeconds === undefined ? [] : [{ ...problem, retryAt: inSeconds(retryInSeconds) }],
  }
}

test.each([
  ['when the sooner list is next fetched, a little spread out', statusWith([20, 9, 500]), 0.5, 9_500],
  ['when a list that never came is tried again', statusWith([], 120), 0, 120_000],
  ['every five seconds at most', statusWith([-30, 9]), 0, 5_000],
  ['every five seconds while nothing is known', undefined, 0, 5_000],
])('requests the status again %s', (_, data, random, intervalMs) => {
  expect(computeStatusInterval({ data }, random)).toBe(intervalMs)
})

test('with a live stream a list hardly asks by itself, unless its last request failed', () => {
  const good = { state: stateAt('2026-11-20T07:00:12.000Z') }
  expect(refreshOptions(true).refetchInterval(good)).toBe(120_000)
  // Planned in 12 s; the server's clock is known to the second only, and tabs are spread over another 1.5.
  expect(refreshOptions(false).refetchInterval(good)).toBeLessThan(12_000 + 1_000 + 1_500)
  const failed = { state: stateAt(null, new ApiError('offline', 0)) }
  expect(refreshOptions(true).refetchInterval(failed)).toBeLessThan(10_000)
})
