import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { describe, expect, test, vi } from 'vitest'
import { leadKeys } from './leads'
import { highSchools, schoolCountsKey } from './queries'
import {
  isHead,
  isOutdated,
  refreshHeads,
  refreshList,
  refreshOptions,
  refreshTriaged,
  STATUS_KEY,
  untilNext,
} from './refresh'
import { ApiError, send } from './send'

const changed = { list: 'asked-questions', version: 8, yours: true, askInMs: 0 } as const
const query = { sort: '-createdAt' } as const
const snapshot = (version: number) => ({
  fetchedAt: '2026-11-20T07:00:00.000Z',
  nextAt: null,
  stale: false,
  problem: null,
  version,
  unreadable: 0,
})
const cached = (queryKey: readonly unknown[], version: number | null) => ({
  queryKey,
  state: { data: version === null ? undefined : { snapshot: snapshot(version) } },
})

test('a list or a lead is outdated when it shows another version, newer or older, or nothing yet', () => {
  for (const key of [leadKeys.page('asked-questions', query, 0), leadKeys.one('asked-questions', 'q1')]) {
    expect([7, 9, null].map((version) => isOutdated(cached(key, version), changed))).toEqual([true, true, true])
    expect(isOutdated(cached(key, 8), changed)).toBe(false)
  }
})

test('the other list, and the pages that follow the first by themselves, stay as they are', () => {
  expect(isOutdated(cached(leadKeys.page('declarations-of-interest', query, 0), 7), changed)).toBe(false)
  expect(isOutdated(cached(leadKeys.page('asked-questions', query, 100), 7), changed)).toBe(false)
})

test('the schools have a version too', () => {
  const schools = { ...changed, list: 'high-schools', version: 2 } as const
  expect(isOutdated(cached(highSchools.queryKey, 1), schools)).toBe(true)
  expect(isOutdated(cached(highSchools.queryKey, 2), schools)).toBe(false)
})

test('without being told, the first page, the status and the numbers of the menu are worth asking', () => {
  expect(isHead({ queryKey: leadKeys.page('asked-questions', query, 0) })).toBe(true)
  expect(isHead({ queryKey: STATUS_KEY })).toBe(true)
  expect(isHead({ queryKey: schoolCountsKey('asked-questions') })).toBe(true)
  expect(isHead({ queryKey: leadKeys.page('asked-questions', query, 200) })).toBe(false)
  expect(isHead({ queryKey: highSchools.queryKey })).toBe(false)
})

describe('asking again', () => {
  const key = leadKeys.page('asked-questions', query, 0)

  /** A list on screen, at version 7 and then those that come; answers wait until they are let go. */
  async function shownList() {
    const client = new QueryClient()
    const asked: { version: number; answer: (version: number) => void }[] = []
    client.setQueryData(key, { snapshot: snapshot(7) })
    const observer = new QueryObserver(client, {
      queryKey: key,
      staleTime: Infinity,
      queryFn: () =>
        new Promise((resolve) => {
          asked.push({ version: 0, answer: (version) => resolve({ snapshot: snapshot(version) }) })
        }),
    })
    const stop = observer.subscribe(() => {})
    return { client, asked, stop, shown: () => observer.getCurrentResult().data }
  }

  test('never calls off what is on its way; what that did not bring is asked for after it, once', async () => {
    const { client, asked, stop, shown } = await shownList()
    const first = refreshList(client, changed)
    const others = [9, 10].map((version) => refreshList(client, { ...changed, version }))
    expect(asked).toHaveLength(1)
    asked[0]?.answer(8)
    await first
    await expect.poll(() => asked.length).toBe(2)
    asked[1]?.answer(10)
    await Promise.all(others)
    expect([asked.length, shown()]).toEqual([2, { snapshot: snapshot(10) }])
    stop()
  })

  test('what was decided is asked for on the list; the numbers of the menu only where they were not told', async () => {
    const { client, asked, stop } = await shownList()
    const counted: boolean[] = []
    const menu = new QueryObserver(client, {
      queryKey: schoolCountsKey('asked-questions'),
      queryFn: () => counted.push(true),
      initialData: 0,
      staleTime: Infinity,
    })
    const leave = menu.subscribe(() => {})
    void refreshTriaged(client, 'asked-questions', true)
    expect([asked.length, counted.length]).toEqual([1, 0])
    void refreshTriaged(client, 'asked-questions')
    expect([asked.length, counted.length]).toEqual([1, 1])
    leave()
    stop()
  })

  test('what failed is not begun anew, so that one reads why', async () => {
    const client = new QueryClient()
    let asked = 0
    const observer = new QueryObserver(client, {
      queryKey: key,
      queryFn: async () => {
        asked += 1
        throw new ApiError('not-ready', 503, 5_000)
      },
      retry: false,
    })
    const stop = observer.subscribe(() => {})
    await refreshHeads(client)
    expect([asked, observer.getCurrentResult().status]).toEqual([1, 'error'])
    stop()
  })

  test('a list that shows the version already is left alone', async () => {
    const { client, asked, stop } = await shownList()
    await refreshList(client, { ...changed, version: 7 })
    expect(asked).toHaveLength(0)
    void refreshHeads(client)
    expect(asked).toHaveLength(1)
    stop()
  })
})

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

test.each([-180, 180])('by the server’s clock, which is %i seconds ahead', async (seconds) => {
  const date = new Date(Date.now() + seconds * 1000).toUTCString()
  vi.stubGlobal('fetch', async () => new Response('{}', { headers: { date } }))
  await send('/api/x', {})
  const state = { ...seen(new Date(Date.now() + seconds * 1000 + 12_000).toISOString()), dataUpdatedAt: Date.now() }
  const waitMs = untilNext(state, 0)
  vi.stubGlobal('fetch', async () => new Response('{}', { headers: { date: new Date().toUTCString() } }))
  await send('/api/x', {})
  vi.unstubAllGlobals()
  expect(Math.abs(waitMs - 12_000)).toBeLessThan(2_500)
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
  // Planned in 12 s; the server's clock is known to the second only, and tabs are spread over another 1.5.
  expect(refreshOptions(false).refetchInterval(good)).toBeLessThan(12_000 + 1_000 + 1_500)
  const failed = { state: seen(null, new ApiError('offline', 0)) }
  expect(refreshOptions(true).refetchInterval(failed)).toBeLessThan(10_000)
})
