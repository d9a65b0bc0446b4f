import { expect, test } from 'vitest'
import { leadKeys } from './leads'
import { highSchools } from './list-choices'
import { isHead, isOutdated, refreshOptions, untilNext } from './refresh'
import { ApiError } from './send'

const changed = { list: 'asked-questions', version: 8 } as const
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

test('the schools and the status have a version too', () => {
  const schools = { list: 'high-schools', version: 2 } as const
  expect(isOutdated(cached(highSchools().queryKey, 1), schools)).toBe(true)
  expect(isOutdated(cached(highSchools().queryKey, 2), schools)).toBe(false)
  const status = (version: number) => ({
    queryKey: ['status'],
    state: { data: { lists: { 'asked-questions': snapshot(version) } } },
  })
  expect([isOutdated(status(7), changed), isOutdated(status(8), changed)]).toEqual([true, false])
  expect(isOutdated(cached(['status'], null), changed), 'the first answer is still on its way').toBe(false)
})

test('without being told, the first page and the status are worth asking', () => {
  expect(isHead({ queryKey: leadKeys.page('asked-questions', query, 0) })).toBe(true)
  expect(isHead({ queryKey: ['status'] })).toBe(true)
  expect(isHead({ queryKey: leadKeys.page('asked-questions', query, 200) })).toBe(false)
  expect(isHead({ queryKey: highSchools().queryKey })).toBe(false)
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
