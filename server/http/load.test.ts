import { expect, test } from 'vitest'
import { NotReadyError } from '@/server/errors'
import { createLoad } from './load'

const READ = true

test('lets in as many readers as can be answered in time, and the next when one has left', () => {
  const load = createLoad()
  const ends = Array.from({ length: 250 }, () => load.begin(READ))
  expect(() => load.begin(READ)).toThrow(NotReadyError)
  ends[0]?.()
  load.begin(READ)
  expect([load.underWay(), load.turnedAway()]).toEqual([250, 1])
})

test('lets in what somebody decides when no reader is let in any more, until that is too much as well', () => {
  const load = createLoad()
  for (let count = 0; count < 1_000; count += 1) load.begin(count < 250)
  expect(() => load.begin(!READ)).toThrow('Too many requests at once')
})

test('tells one and the other to come back at different moments', () => {
  const waits = [0, 0.5, 0.99].map((chance) => {
    const load = createLoad(() => chance)
    for (let count = 0; count < 250; count += 1) load.begin(READ)
    try {
      load.begin(READ)
    } catch (error) {
      return error instanceof NotReadyError ? error.retryAfterSeconds : null
    }
    return null
  })
  expect(waits).toEqual([2, 5, 7])
})
