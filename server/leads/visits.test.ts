import { expect, test } from 'vitest'
import { createVisits } from './visits'

test('looks within a minute are one write, and a database that is away gives the last answer', async () => {
  let connections = 0
  let now = 0
  const errors: unknown[] = []
  const visits = createVisits({
    connect: () => {
      connections += 1
      return Promise.reject(new Error('away'))
    },
    now: () => now,
    onUnreachable: (error) => errors.push(error),
  })
  expect(await visits.visit('a', 'asked-questions')).toBeNull()
  now += 61_000
  expect(await visits.visit('a', 'asked-questions')).toBeNull()
  expect([connections, errors.length]).toEqual([2, 2])
})
