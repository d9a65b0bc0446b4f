import { expect, test } from 'vitest'
import { createAdmissionLimit, createConcurrencyLimit } from './concurrency-limit'
import { NotReadyError } from './errors'

test('two run at once, the others in order, also after a failure', async () => {
  const run = createConcurrencyLimit(2)
  const began: string[] = []
  const start = (name: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const done = run(() => {
      began.push(name)
      return promise
    })
    return { done, end: () => resolve(name), fail: () => reject(new Error(name)) }
  }
  const [a, b, c, d] = [start('a'), start('b'), start('c'), start('d')]
  expect(began).toEqual(['a', 'b'])
  a.fail()
  await expect(a.done).rejects.toThrow('a')
  expect(began).toEqual(['a', 'b', 'c'])
  for (const one of [b, c, d]) one.end()
  expect(await Promise.all([b.done, c.done, d.done])).toEqual(['b', 'c', 'd'])
  expect(await run(async () => 'later')).toBe('later')
})

test('an in-flight limit: one key cannot take all places, and a freed place can be taken again', () => {
  const take = createAdmissionLimit({ maxTotal: 3, maxPerKey: 2, retryAfterSeconds: 1 })
  const free = take('a')
  take('a')
  expect(() => take('a')).toThrow(NotReadyError)
  take('b')
  expect(() => take('c')).toThrow(NotReadyError)
  free()
  expect(take('c')).toBeTypeOf('function')
})
