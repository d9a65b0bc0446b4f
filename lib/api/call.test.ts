import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { api, apiQuery, apiQueryKey } from './call'

const answer = (body: BodyInit) => {
  const sent = vi.fn<typeof fetch>(async () => new Response(body))
  vi.stubGlobal('fetch', sent)
  return sent
}

test('an endpoint is asked by its method, with its path filled, its query and its body', async () => {
  const sent = answer('{"id":"n1"}')
  const body = { kind: 'asked-question', id: 'q1', text: 'Ringde' } as const
  expect(await api('POST /api/notes', { body })).toEqual({ id: 'n1' })
  await api('DELETE /api/notes/[id]', { params: { id: 'a/b å' } })
  await api('GET /api/activity', { query: { user: 'u', action: ['opened'], limit: 10 } })
  expect(sent.mock.calls.map(([path, init]) => [init?.method, path, init?.body])).toEqual([
    ['POST', '/api/notes', JSON.stringify(body)],
    ['DELETE', '/api/notes/a%2Fb%20%C3%A5', undefined],
    ['GET', '/api/activity?action=opened&limit=10&user=u', undefined],
  ])
})

test('an answer that is no JSON is unreadable, and a connection that breaks within it is offline', async () => {
  answer('<html>busy</html>')
  await expect(api('GET /api/users')).rejects.toMatchObject({ kind: 'unreadable', status: 200 })
  answer(new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) }))
  await expect(api('GET /api/users')).rejects.toMatchObject({ kind: 'offline' })
})

test('cached answers are invalidated by endpoint, or by some of its input', async () => {
  const client = new QueryClient()
  const notes = (id: string) => apiQuery('GET /api/notes', { query: { kind: 'asked-question', id } }).queryKey
  for (const key of [notes('a'), notes('b'), apiQueryKey('GET /api/users')]) client.setQueryData(key, {})
  const isInvalidated = (key: readonly unknown[]) => client.getQueryState(key)?.isInvalidated
  await client.invalidateQueries({ queryKey: notes('a') })
  expect([notes('a'), notes('b')].map(isInvalidated)).toEqual([true, false])
  await client.invalidateQueries({ queryKey: apiQueryKey('GET /api/notes') })
  expect([notes('b'), apiQueryKey('GET /api/users')].map(isInvalidated)).toEqual([true, false])
})
