import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, onTestFinished, test } from 'vitest'
import type { LeadList } from '@/lib/contract/lead'
import { snapshotAt } from '@/lib/inbox/testing/pages'
import { pageQueryKeys, singleLeadQuery } from './leads'
import { STATUS_KEY } from './polling'
import { highSchoolsQuery } from './queries'
import { isOutdated, isPolled, refreshList, refreshPolled, refreshTriaged } from './refresh'
import { ApiError } from './send'

const change = { list: 'asked-questions', version: 8, yours: true, askInMs: 0 } as const
const schoolsChange = { ...change, list: 'high-schools' } as const
const page = (offset: number, list: LeadList = 'asked-questions') =>
  pageQueryKeys.page(list, { sort: '-createdAt' }, offset)
const queue = pageQueryKeys.page('mine', {}, 0)
const oneLead = singleLeadQuery('asked-questions', 'q1').queryKey

test.each([
  ['a page at an older version', page(0), 7, change, true],
  ['a page without an answer', page(0), null, change, true],
  ['a page at this version', page(0), 8, change, false],
  ['a lead at an older version', oneLead, 7, change, true],
  ['a page of the other list', page(0, 'declarations-of-interest'), 7, change, false],
  ['a page that follows the first by itself', page(100), 7, change, false],
  ['a queue, which is of both lists', queue, 8, change, true],
  ['a queue, by a change of the schools', queue, 7, schoolsChange, false],
  ['the schools at an older version', highSchoolsQuery.queryKey, 7, schoolsChange, true],
  ['the schools at this version', highSchoolsQuery.queryKey, 8, schoolsChange, false],
])('%s is outdated by a change, or not', (_, queryKey, version, changed, expected) => {
  const data = version === null ? undefined : { snapshot: snapshotAt(version) }
  expect(isOutdated({ queryKey, state: { data } }, changed)).toBe(expected)
})

test('without an event, the first page and the status are requested again', () => {
  const keys = [page(0), STATUS_KEY, page(200), highSchoolsQuery.queryKey]
  expect(keys.map((queryKey) => isPolled({ queryKey }))).toEqual([true, true, false, false])
})

function observe(client: QueryClient, queryKey: readonly unknown[], queryFn: () => unknown) {
  const observer = new QueryObserver(client, { queryKey, queryFn, staleTime: Infinity, retry: false })
  onTestFinished(observer.subscribe(() => {}))
  return observer
}

test('a refetch cancels no request under way; what that does not bring is requested after it, once', async () => {
  const client = new QueryClient()
  const answers: ((version: number) => void)[] = []
  client.setQueryData(page(0), { snapshot: snapshotAt(7) })
  const observer = observe(client, page(0), () => {
    return new Promise((resolve) => answers.push((version) => resolve({ snapshot: snapshotAt(version) })))
  })
  const first = refreshList(client, change)
  const others = [9, 10].map((version) => refreshList(client, { ...change, version }))
  expect(answers).toHaveLength(1)
  answers[0]?.(8)
  await first
  await expect.poll(() => answers.length).toBe(2)
  answers[1]?.(10)
  await Promise.all(others)
  expect([answers.length, observer.getCurrentResult().data]).toEqual([2, { snapshot: snapshotAt(10) }])
})

test('a decision refetches its list and the queues, which are of both lists', () => {
  const client = new QueryClient()
  const requested: unknown[] = []
  for (const queryKey of [page(0), page(100), queue, ['other']]) {
    client.setQueryData(queryKey, 0)
    observe(client, queryKey, () => requested.push(queryKey))
  }
  void refreshTriaged(client, 'declarations-of-interest')
  expect(requested).toEqual([queue])
  void refreshTriaged(client, 'asked-questions')
  expect(requested).toEqual([queue, page(0)])
})

test('a failed request is not begun again, so that the user can read why it failed', async () => {
  const client = new QueryClient()
  let requestCount = 0
  const observer = observe(client, page(0), async () => {
    requestCount += 1
    throw new ApiError('not-ready', 503, 5_000)
  })
  await refreshPolled(client)
  expect([requestCount, observer.getCurrentResult().status]).toEqual([1, 'error'])
})
