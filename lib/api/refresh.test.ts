import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { describe, expect, test, vi } from 'vitest'
import type { LeadList } from '@/lib/contract/lead'
import { snapshotAt } from '@/lib/inbox/testing/pages'
import { keyOf } from './call'
import { leadKeys, leadPage, oneLead, type Place } from './leads'
import { highSchools } from './queries'
import { isPolled, isOutdated, refreshPolled, refreshList, refreshTriaged } from './refresh'
import { STATUS_KEY } from './polling'
import { ApiError } from './send'

const changed = { list: 'asked-questions', version: 8, yours: true, askInMs: 0 } as const
const query = { sort: '-createdAt' } as const
const cached = (queryKey: readonly unknown[], version: number | null) => ({
  queryKey,
  state: { data: version === null ? undefined : { snapshot: snapshotAt(version) } },
})

const page = (offset: number, list: LeadList = 'asked-questions') => leadKeys.page(list, query, offset)
const schools = { ...changed, list: 'high-schools', version: 2 } as const
test.each([
  ['a page at an older version', page(0), 7, changed, true],
  ['a page at a newer version', page(0), 9, changed, true],
  ['a page without an answer', page(0), null, changed, true],
  ['a page at this version', page(0), 8, changed, false],
  ['a lead at an older version', oneLead('asked-questions', 'q1').queryKey, 7, changed, true],
  ['a lead without an answer', oneLead('asked-questions', 'q1').queryKey, null, changed, true],
  ['a lead at this version', oneLead('asked-questions', 'q1').queryKey, 8, changed, false],
  ['a page of the other list', page(0, 'declarations-of-interest'), 7, changed, false],
  ['a page that follows the first by itself', page(100), 7, changed, false],
  ['the schools at an older version', highSchools.queryKey, 1, schools, true],
  ['the schools at this version', highSchools.queryKey, 2, schools, false],
])('%s is outdated by a change, or not', (_, key, version, change, is) => {
  expect(isOutdated(cached(key, version), change)).toBe(is)
})

test('without an event, the first page and the status are worth asking', () => {
  for (const queryKey of [page(0), STATUS_KEY]) expect(isPolled({ queryKey })).toBe(true)
  for (const queryKey of [page(200), highSchools.queryKey]) expect(isPolled({ queryKey })).toBe(false)
})

describe('asking again', () => {
  const key = page(0)

  /** A list on screen, at version 7 and then those that come; answers wait until they are let go. */
  async function shownList() {
    const client = new QueryClient()
    const asked: { version: number; answer: (version: number) => void }[] = []
    client.setQueryData(key, { snapshot: snapshotAt(7) })
    const observer = new QueryObserver(client, {
      queryKey: key,
      staleTime: Infinity,
      queryFn: () =>
        new Promise((resolve) => {
          asked.push({ version: 0, answer: (version) => resolve({ snapshot: snapshotAt(version) }) })
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
    expect([asked.length, shown()]).toEqual([2, { snapshot: snapshotAt(10) }])
    stop()
  })

  test('what was decided is asked for on its list and on the queues, which are of both', async () => {
    const { client, asked, stop } = await shownList()
    const queues: boolean[] = []
    const [mine, total] = [leadPage('mine', {}, 0).queryKey, ['other']].map((queryKey) => {
      return new QueryObserver(client, {
        queryKey,
        queryFn: () => queues.push(true),
        initialData: 0,
        staleTime: Infinity,
      })
    })
    const leave = [mine, total].map((observer) => observer?.subscribe(() => {}))
    void refreshTriaged(client, 'declarations-of-interest')
    expect([asked.length, queues.length], 'of the other list').toEqual([0, 1])
    void refreshTriaged(client, 'asked-questions')
    expect([asked.length, queues.length]).toEqual([1, 1])
    for (const stopped of leave) stopped?.()
    stop()
  })

  test.each(['asked-questions', 'declarations-of-interest', 'high-schools'] as const)(
    'a queue is outdated by a change of either list of leads: %s',
    (list) => {
      const change = { list, version: 2, yours: true, askInMs: 0 }
      expect(isOutdated(cached(leadPage('mine', {}, 0).queryKey, 2), change)).toBe(list !== 'high-schools')
      expect(isOutdated(cached(leadPage('mine', {}, 50).queryKey, 2), change)).toBe(false)
    },
  )

  test('the numbers of the menu are asked for again with another number of rows, of a queue alone', async () => {
    const client = new QueryClient()
    const day = keyOf('GET /api/day', { query: { school: [] } })
    const answers = (total: number, waiting: number) => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ leads: [], askedQuestions: [], total, waiting, newest: null })
      vi.stubGlobal('fetch', async () => new Response(body, { headers }))
    }
    const asksForDay = async (place: Place) => {
      client.setQueryData(day, {})
      await client.fetchQuery({ ...leadPage(place, {}, 0), staleTime: 0 })
      return client.getQueryState(day)?.isInvalidated
    }
    answers(3, 0)
    expect([await asksForDay('mine'), await asksForDay('mine'), await asksForDay('asked-questions')]).not.toContain(
      true,
    )
    answers(3, 1)
    expect([await asksForDay('mine'), await asksForDay('asked-questions')]).toEqual([true, false])
    vi.unstubAllGlobals()
  })

  test('what failed is not begun again, so that the user can read why', async () => {
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
    await refreshPolled(client)
    expect([asked, observer.getCurrentResult().status]).toEqual([1, 'error'])
    stop()
  })

  test('a list that shows the version already is left alone', async () => {
    const { client, asked, stop } = await shownList()
    await refreshList(client, { ...changed, version: 7 })
    expect(asked).toHaveLength(0)
    void refreshPolled(client)
    expect(asked).toHaveLength(1)
    stop()
  })
})
