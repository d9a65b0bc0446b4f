import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { apiQueryKey } from './call'
import { leadPageQuery, type ListOrQueue } from './leads'

test('a page asks for differences from its first request on, and puts them in their places', async () => {
  const asked: (string | null)[] = []
  const answers = [
    { declarationsOfInterest: [{ id: 'a' }, { id: 'b' }], total: 2, etag: 'first' },
    { parts: [{ id: 'c' }, [0, 2]], total: 3, etag: 'second' },
  ]
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(new URL(url, 'http://intag').searchParams.get('known'))
    return Response.json(answers[asked.length - 1])
  })
  const client = new QueryClient()
  const page = leadPageQuery('declarations-of-interest', {}, 0)
  await client.fetchQuery(page)
  const { items } = await client.fetchQuery(page)
  expect(asked).toEqual(['none', 'first'])
  expect(items.map(({ id }) => id)).toEqual(['c', 'a', 'b'])
})

test('another number of rows, of a queue alone, invalidates the numbers of the menu', async () => {
  const client = new QueryClient()
  const day = apiQueryKey('GET /api/day', { query: { school: [] } })
  const answer = (waiting: number) =>
    vi.stubGlobal('fetch', async () =>
      Response.json({ leads: [], askedQuestions: [], total: 3, waiting, newest: null }),
    )
  const invalidatesDay = async (listOrQueue: ListOrQueue) => {
    client.setQueryData(day, {})
    await client.fetchQuery({ ...leadPageQuery(listOrQueue, {}, 0), staleTime: 0 })
    return client.getQueryState(day)?.isInvalidated
  }
  answer(0)
  expect([await invalidatesDay('mine'), await invalidatesDay('mine')], 'the same number').not.toContain(true)
  answer(1)
  expect([await invalidatesDay('mine'), await invalidatesDay('asked-questions')]).toEqual([true, false])
})
