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

test('what has expired goes when it is asked for, or when something else comes though there is room', () => {
  let expired = ''
  const recent = createLruCache<string>(10, (value) => value === expired)
  for (const key of ['a', 'b', 'c']) recent.set(key, key)
  expired = 'b'
  expect(recent.get('b')).toBeUndefined()
  expired = 'a'
  recent.set('d', 'd')
  expired = ''
  expect(['a', 'b', 'c', 'd'].map(recent.get)).toEqual([undefined, undefined, 'c', 'd'])
})
