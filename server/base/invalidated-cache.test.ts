import { beforeEach, expect, test } from 'vitest'
import { createInvalidatedCache } from './invalidated-cache'

let now = 0
let holds = 1_000
let reads: string[] = []
let answers: ((value: string) => void)[] = []
beforeEach(() => void ([now, holds, reads, answers] = [0, 1_000, [], []]))

const cacheOf = (maxEntries = 10) =>
  createInvalidatedCache({
    read: (key) => {
      reads.push(key)
      return new Promise<string>((resolve) => answers.push(resolve))
    },
    ttlMs: () => holds,
    now: () => now,
    maxEntries,
  })

test('concurrent calls share one read, and its value holds for a while', async () => {
  const cache = cacheOf()
  const both = [cache.get('a'), cache.get('a')]
  answers[0]?.('read')
  expect(await Promise.all(both)).toEqual(['read', 'read'])
  now += 999
  expect(await cache.get('a')).toBe('read')
  expect(reads).toEqual(['a'])
  now += 1
  void cache.get('a')
  expect(reads).toEqual(['a', 'a'])
})

test('an invalidated value is read again, also when it was being read at that moment', async () => {
  const cache = cacheOf()
  const before = cache.get('a')
  cache.invalidate('a')
  const after = cache.get('a')
  answers[0]?.('old')
  answers[1]?.('new')
  expect(await Promise.all([before, after])).toEqual(['old', 'new'])
  expect(await cache.get('a')).toBe('new')
})

test('while changes cannot be announced every call reads', async () => {
  holds = 0
  const cache = cacheOf()
  void cache.get('a')
  void cache.get('a')
  expect(reads).toEqual(['a', 'a'])
})

test('a failure is read again by the next call, and the least recently used value goes first', async () => {
  let fails = true
  const cache = createInvalidatedCache({
    read: async (key) => {
      reads.push(key)
      if (fails) throw new Error('away')
      return key
    },
    ttlMs: () => holds,
    now: () => now,
    maxEntries: 2,
  })
  await expect(cache.get('a')).rejects.toThrow('away')
  fails = false
  for (const key of ['a', 'b', 'c', 'b', 'a']) await cache.get(key)
  expect(reads).toEqual(['a', 'a', 'b', 'c', 'a'])
  cache.invalidateAll()
  await cache.get('a')
  expect(reads).toHaveLength(6)
})
