import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { LeadList } from '@/lib/contract/lead'
import { snapshotAt } from '@/lib/inbox/testing/pages'
import { apiQueryKey } from './call'
import { leadPageQuery, type ListOrQueue, pageQueryKeys, singleLeadQuery } from './leads'
import { STATUS_KEY } from './polling'
import { highSchoolsQuery } from './queries'
import { isOutdated, isPolled, refreshList, refreshPolled, refreshTriaged } from './refresh'
import { ApiError } from './send'

const changed = { list: 'asked-questions', version: 8, yours: true, askInMs: 0 } as const
const query = { sort: '-createdAt' } as const
const cached = (queryKey: readonly unknown[], version: number | null) => ({
  queryKey,
  state: { data: version === null ? undefined : { snapshot: snapshotAt(version) } },
})

const page = (offset: number, list: LeadList = 'asked-questions') => pageQueryKeys.page(list, query, offset)
const queue = (offset: number) => leadPageQuery('mine', {}, offset).queryKey
const schools = { ...changed, list: 'high-schools' } as const
test.each([
  ['a page at an older version', page(0), 7, changed, true],
  ['a page at a newer version', page(0), 9, changed, true],
  ['a page without an answer', page(0), null, changed, true],
  ['a page at this version', page(0), 8, changed, false],
  ['a lead at an older version', singleLeadQuery('asked-questions', 'q1').queryKey, 7, changed, true],
  ['a lead at this version', singleLeadQuery('asked-questions', 'q1').queryKey, 8, changed, false],
  ['a page of the other list', page(0, 'declarations-of-interest'), 7, changed, false],
  ['a page that follows the first by itself', page(100), 7, changed, false],
  ['a queue, which is of both lists', queue(0), 8, changed, true],
  ['a later page of a queue', queue(50), 8, changed, false],
  ['a queue, by a change of the schools', queue(0), 7, schools, false],
  ['the schools at an older version', highSchoolsQuery.queryKey, 7, schools, true],
  ['the schools at this version', highSchoolsQuery.queryKey, 8, schools, false],
])('%s is outdated by a change, or not', (_, key, version, change, is) => {
  expect(isOutdated(cached(key, version), change)).toBe(is)
})

test('without an event, the first page and the status are worth asking', () => {
  for (const queryKey of [page(0), STATUS_KEY]) expect(isPolled({ queryKey })).toBe(true)
  for (const queryKey of [page(200), highSchoolsQuery.queryKey]) expect(isPolled({ queryKey })).toBe(false)
})

describe('asking again', () => {
  const key = page(0)

  /** A list on screen at version 7; each answer waits until the test gives it. */
  function showList() {
    const client = new QueryClient()
    const answers: ((version: number) => void)[] = []
    client.setQueryData(key, { snapshot: snapshotAt(7) })
    const queryFn = () =>
      new Promise((resolve) => answers.push((version) => resolve({ snapshot: snapshotAt(version) })))
    const observer = show(client, key, queryFn)
    return { client, answers, shown: () => observer.getCurrentResult().data }
  }

  function show(client: QueryClient, queryKey: readonly unknown[], queryFn: () => unknown) {
    const observer = new QueryObserver(client, { queryKey, queryFn, staleTime: Infinity, retry: false })
    onTestFinished(observer.subscribe(() => {}))
    return observer
  }

  test('never calls off what is on its way; what that did not bring is asked for after it, once', async () => {
    const { client, answers, shown } = showList()
    const first = refreshList(client, changed)
    const others = [9, 10].map((version) => refreshList(client, { ...changed, version }))
    expect(answers).toHaveLength(1)
    answers[0]?.(8)
    await first
    await expect.poll(() => answers.length).toBe(2)
    answers[1]?.(10)
    await Promise.all(others)
    expect([answers.length, shown()]).toEqual([2, { snapshot: snapshotAt(10) }])
  })

  test('what was decided is asked for on its list and on the queues, which are of both', () => {
    const { client, answers } = showList()
    const asked: unknown[] = []
    for (const queryKey of [queue(0), ['other']]) {
      client.setQueryData(queryKey, 0)
      show(client, queryKey, () => asked.push(queryKey))
    }
    void refreshTriaged(client, 'declarations-of-interest')
    expect([answers.length, asked], 'of the other list').toEqual([0, [queue(0)]])
    void refreshTriaged(client, 'asked-questions')
    expect(answers).toHaveLength(1)
  })

  test('the numbers of the menu are asked for again with another number of rows, of a queue alone', async () => {
    const client = new QueryClient()
    const day = apiQueryKey('GET /api/day', { query: { school: [] } })
    const answer = (total: number, waiting: number) =>
      vi.stubGlobal('fetch', async () => Response.json({ leads: [], askedQuestions: [], total, waiting, newest: null }))
    const asksForDay = async (place: ListOrQueue) => {
      client.setQueryData(day, {})
      await client.fetchQuery({ ...leadPageQuery(place, {}, 0), staleTime: 0 })
      return client.getQueryState(day)?.isInvalidated
    }
    answer(3, 0)
    expect([await asksForDay('mine'), await asksForDay('mine')], 'the same number').not.toContain(true)
    answer(3, 1)
    expect([await asksForDay('mine'), await asksForDay('asked-questions')]).toEqual([true, false])
  })

  test('what failed is not begun again, so that the user can read why', async () => {
    const client = new QueryClient()
    let asked = 0
    const observer = show(client, key, async () => {
      asked += 1
      throw new ApiError('not-ready', 503, 5_000)
    })
    await refreshPolled(client)
    expect([asked, observer.getCurrentResult().status]).toEqual([1, 'error'])
  })
})
