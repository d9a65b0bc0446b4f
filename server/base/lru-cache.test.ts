import { expect, test } from 'vitest'
import { createLruCache } from './lru-cache'

test('what was used least recently goes when there are more', () => {
  const recent = createLruCache<number>(2)
  recent.set('a', 1)
  recent.set('b', 2)
  expect(recent.get('a')).toBe(1)
  recent.set('c', 3)
  expect(['a', 'b', 'c'].map(recent.get)).toEqual([1, undefined, 3])
})
