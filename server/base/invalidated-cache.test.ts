import { expect, test } from 'vitest'
import { createInvalidatedCache } from './invalidated-cache'

function world({ ttlMs = 1_000 } = {}) {
  const clock = { now: 0 }
  const reads: PromiseWithResolvers<string>[] = []
  const cache = createInvalidatedCache({
    read: () => {
      const reading = Promise.withResolvers<string>()
      reads.push(reading)
      return reading.promise
    },
    ttlMs: () => ttlMs,
    now: () => clock.now,
    maxEntries: 10,
  })
  return { clock, reads, cache }
}

test('concurrent calls share one read, and its value holds for a while', async () => {
  const { clock, reads, cache } = world()
  const both = [cache.get('a'), cache.get('a')]
  reads[0]?.resolve('read')
  expect(await Promise.all(both)).toEqual(['read', 'read'])
  clock.now = 999
  expect(await cache.get('a')).toBe('read')
  expect(reads).toHaveLength(1)
  clock.now = 1_000
  void cache.get('a')
  expect(reads).toHaveLength(2)
})

test('an invalidated value is read again, also when it was being read at that moment', async () => {
  const { reads, cache } = world()
  const before = cache.get('a')
  cache.invalidate('a')
  const after = cache.get('a')
  reads[0]?.resolve('old')
  reads[1]?.resolve('new')
  expect(await Promise.all([before, after])).toEqual(['old', 'new'])
  expect(await cache.get('a')).toBe('new')
  cache.invalidateAll()
  void cache.get('a')
  expect(reads).toHaveLength(3)
})

test('while changes cannot be announced every call reads', () => {
  const { reads, cache } = world({ ttlMs: 0 })
  void cache.get('a')
  void cache.get('a')
  expect(reads).toHaveLength(2)
})

test('a failure is read again by the next call', async () => {
  const { reads, cache } = world()
  const failing = cache.get('a')
  reads[0]?.reject(new Error('away'))
  await expect(failing).rejects.toThrow('away')
  void cache.get('a')
  expect(reads).toHaveLength(2)
})
