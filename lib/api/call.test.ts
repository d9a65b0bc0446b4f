import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { api, apiQuery, apiQueryKey } from './call'

const answer = (body: BodyInit, type: string | null = 'application/json') => {
  const sent = vi.fn<typeof fetch>(
    async () => new Response(body, { headers: { ...(type && { 'content-type': type }) } }),
  )
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

test.each([
  ['a page that says it is JSON', '<html>busy</html>', 'application/json'],
  ['JSON that does not say so', '{"users":[]}', null],
  ['a list', '[]', 'application/json'],
])('%s is no answer of ours', async (_, body, type) => {
  answer(new TextEncoder().encode(body), type)
  await expect(api('GET /api/users')).rejects.toMatchObject({ kind: 'unreadable', status: 200 })
})

test('a connection that breaks within the answer is offline', async () => {
  answer(new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) }))
  await expect(api('GET /api/users')).rejects.toMatchObject({ kind: 'offline' })
})

test('what is kept is outdated by endpoint, or by some of its input', async () => {
  const client = new QueryClient()
  const of = (id: string) => apiQuery('GET /api/notes', { query: { kind: 'asked-question', id } }).queryKey
  for (const id of ['a', 'b']) client.setQueryData(of(id), { notes: [] })
  client.setQueryData(apiQuery('GET /api/users').queryKey, { users: [] })
  const isOutdated = (key: readonly unknown[]) => client.getQueryState(key)?.isInvalidated
  await client.invalidateQueries({
    queryKey: apiQueryKey('GET /api/notes', { query: { kind: 'asked-question', id: 'a' } }),
  })
  expect([of('a'), of('b')].map(isOutdated)).toEqual([true, false])
  await client.invalidateQueries({ queryKey: apiQueryKey('GET /api/notes') })
  expect([of('b'), apiQueryKey('GET /api/users')].map(isOutdated)).toEqual([true, false])
})
