import { expect, test } from 'vitest'
import { untilReached } from './wait-for-server'

/** A server with given answers, and what happened meanwhile. */
function story(answers: readonly boolean[], { leavesAfter = Infinity } = {}) {
  const log: string[] = []
  let asked = 0
  const parts = {
    isServerUp: async () => {
      const isThere = answers[asked++] ?? false
      log.push(isThere ? 'there' : 'gone')
      return isThere
    },
    pause: async () => void log.push('waits'),
    isWanted: () => asked <= leavesAfter,
    onCut: () => void log.push('says so'),
  }
  return { parts, log, asked: () => asked }
}

test('a server that answers costs one question and no word', async () => {
  const { parts, log } = story([true])
  expect(await untilReached(parts)).toBe(true)
  expect(log).toEqual(['there'])
})

test('one that does not is reported once and asked until it is back', async () => {
  const { parts, log } = story([false, false, true])
  expect(await untilReached(parts)).toBe(true)
  expect(log).toEqual(['gone', 'says so', 'waits', 'gone', 'waits', 'there'])
})

test('a user who goes elsewhere is not taken away from there later', async () => {
  const { parts } = story([false, true], { leavesAfter: 1 })
  expect(await untilReached(parts)).toBe(false)
})

test('after two minutes nobody waits any more', async () => {
  const { parts, asked } = story([])
  expect(await untilReached(parts)).toBe(false)
  expect(asked()).toBe(41)
})
