import { beforeEach, expect, test } from 'vitest'
import { FEED_LISTS, type FeedList } from '@/lib/contract/lists'
import { sharedWorld } from '@/server/feed/testing/shared-world'
import { currentSnapshot } from './feed'
import { emptyListState, type ListState } from './list-state'

const SECOND = 1_000
const MINUTE = 60 * SECOND

let its: ReturnType<typeof sharedWorld>
beforeEach(() => {
  its = sharedWorld(Date.UTC(2026, 10, 20, 7), 10 * SECOND)
})
const moments = (list: FeedList) => its.requestsFor(list).map(({ at }) => at)
const fetches = (list: FeedList = 'declarations-of-interest') => moments(list).length

test('starts with one request for each list and is then ready', async () => {
  const ready = its.begin('alone').feed.ready(MINUTE)
  await its.run(SECOND)
  await ready
  expect(FEED_LISTS.map(moments)).toEqual([[0], [0], [0]])
})

test('while a user is looking, the hour’s requests are spent evenly, and no more than them', async () => {
  its.begin('alone')
  await its.run(60 * MINUTE)
  expect(its.requests.length).toBeGreaterThan(0.97 * 558)
  expect(its.requests.length).toBeLessThanOrEqual(561)
  expect(fetches('high-schools')).toBeLessThanOrEqual(7)
})

test('while nobody looks it is slow; the first look after it fetches at once', async () => {
  const { feed } = its.begin('alone', { looks: false })
  await its.run(58 * MINUTE)
  const before = fetches()
  expect(before).toBeLessThanOrEqual(13)
  feed.markWatched()
  await its.run(100)
  expect(fetches()).toBe(before + 1)
})

test('a read before the first answer fails with the reason and the time of the next fetch', async () => {
  const parts = { markWatched: () => {}, ready: () => Promise.resolve() }
  const problem = { kind: 'rate-limited', since: 0, detail: 'status 429' } as const
  const read = (state: Partial<ListState<never>>) =>
    currentSnapshot(parts, () => ({ ...emptyListState<never>(), ...state }))
  await expect(read({})).rejects.toMatchObject({ message: 'The first data is on its way', retryAfterSeconds: 5 })
  const waiting = read({ problem, nextAt: Date.now() + 599_500 })
  await expect(waiting).rejects.toMatchObject({
    message: 'No data yet: rate-limited. Asked for again in 600 s',
    retryAfterSeconds: 600,
  })
  await expect(read({ problem, nextAt: null })).rejects.toMatchObject({ retryAfterSeconds: 5 })
})
