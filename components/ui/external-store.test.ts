import { expect, test } from 'vitest'
import { createExternalStore, isShallowEqual } from './external-store'

test('listeners hear of every change, and read the newest', () => {
  const state = createExternalStore(1)
  const heard: number[] = []
  const stop = state.subscribe(() => heard.push(state.read()))
  state.set(2)
  stop()
  state.set(3)
  expect([heard, state.read(), state.initialState]).toEqual([[2], 3, 1])
})

const ids = new Set(['a'])
test.each([
  [1, 1, true],
  [null, {}, false],
  [{ count: 1, ids }, { count: 1, ids }, true],
  [{ count: 1, ids }, { count: 1, ids: new Set(ids) }, false],
  [{ count: 1 }, { count: 1, more: undefined }, false],
])('%j and %j are the same: %j', (a, b, isEqual) => {
  expect(isShallowEqual(a, b)).toBe(isEqual)
})
