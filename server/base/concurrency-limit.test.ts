import { describe, expect, test } from 'vitest'
import { NotReadyError } from './errors'
import { createInFlightLimit, createConcurrencyLimit } from './concurrency-limit'

describe('a concurrency limit', () => {
  const held = () => {
    const ends: (() => void)[] = []
    const began: string[] = []
    const work = (name: string) => () =>
      new Promise<string>((resolve) => {
        began.push(name)
        ends.push(() => resolve(name))
      })
    const endFirst = async () => {
      ends.shift()?.()
      await new Promise(setImmediate)
    }
    return { work, began, endFirst }
  }

  test('runs two at once, the others in order, and refuses when the queue is full', async () => {
    const turn = createConcurrencyLimit({ concurrency: 2, maxQueued: 2, retryAfterSeconds: 3 })
    const { work, began, endFirst } = held()
    const done = ['a', 'b', 'c', 'd'].map((name) => turn(work(name)))
    await expect(turn(work('e'))).rejects.toMatchObject({ name: 'NotReadyError', retryAfterSeconds: 3 })
    expect(began).toEqual(['a', 'b'])
    await endFirst()
    expect(began).toEqual(['a', 'b', 'c'])
    for (let left = 3; left > 0; left -= 1) await endFirst()
    expect(await Promise.all(done)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('goes on after work that failed', async () => {
    const turn = createConcurrencyLimit({ concurrency: 1, maxQueued: 1, retryAfterSeconds: 1 })
    const failing = turn(() => Promise.reject(new Error('no')))
    const next = turn(async () => 'next')
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe('next')
    expect(await turn(async () => 'later')).toBe('later')
  })
})

test('an in-flight limit: one key cannot take all places, and a freed place can be taken again', () => {
  const take = createInFlightLimit({ max: 3, maxPerKey: 2, retryAfterSeconds: 1 })
  const free = take('a')
  take('a')
  expect(() => take('a')).toThrow(NotReadyError)
  take('b')
  expect(() => take('c')).toThrow(NotReadyError)
  free()
  expect(take('c')).toBeTypeOf('function')
})
