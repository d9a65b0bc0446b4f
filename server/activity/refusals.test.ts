import { expect, test } from 'vitest'
import { createRefusals, routeOf } from './refusals'

test('is entered once for each person, route and hour', async () => {
  const entries: unknown[] = []
  let now = 0
  const activity = { record: async (entry: unknown) => void entries.push(entry) }
  const refusals = createRefusals({ activity, now: () => now, logger: { warn: () => {} } })
  for (let times = 0; times < 100; times += 1) refusals('eva', 'GET', '/admin/users')
  refusals('bo', 'GET', '/admin/users')
  now = 3_600_000
  refusals('eva', 'GET', '/admin/users')
  expect(entries).toHaveLength(3)
})

test('a route is named by its pattern, however what it is asked for is spelt', () => {
  const params = { id: 'eva@x' }
  const patterns = ['eva@x', 'eva%40x', '%65va%40x', '%65%76%61@x'].map((id) =>
    routeOf(`/api/users/${id}/sessions`, params),
  )
  expect(new Set(patterns)).toEqual(new Set(['/api/users/:id/sessions']))
  expect(routeOf('/api/users/eva%40x', { id: 'eva%40x' }), 'as Next hands it over').toBe('/api/users/:id')
  expect(routeOf('/api/views', undefined)).toBe('/api/views')
  const unknown = { path: ['eva', 'eva%40x'] }
  expect(routeOf('/api/eva/eva%40x', unknown), 'a path that nobody knows').toBe('/api/:path')
})
