import { expect, test } from 'vitest'
import { createVirtualTime } from '@/server/feed/testing/virtual-time'
import { createEvery } from './every'

function open() {
  const time = createVirtualTime(0)
  const warned: object[] = []
  let planned = 0
  const schedule = (delayMs: number, run: () => void) => {
    planned += 1
    const done = () => void (planned -= 1)
    const cancel = time.after(delayMs, () => (done(), run()))
    return () => (done(), cancel())
  }
  const every = createEvery({ schedule, logger: { warn: (line: object) => warned.push(line) } })
  const pass = async (ms: number) => {
    const end = time.now() + ms
    time.at(end, () => {})
    do await new Promise((resolve) => setImmediate(resolve))
    while (time.now() < end && time.step())
  }
  return { every, pass, warned, now: time.now, planned: () => planned }
}

test('a round begins so long after the one before has ended, however long that took', async () => {
  const { every, pass, now } = open()
  const [begun, slow] = [[] as number[], Promise.withResolvers<void>()]
  every(10, () => begun.push(now()) === 2 && slow.promise, { what: 'test', afterMs: 3 })
  await pass(50)
  expect(begun).toEqual([3, 13])
  slow.resolve()
  await pass(19)
  expect(begun).toEqual([3, 13, 60])
})

test('a round that fails is logged by its name, and the next one comes', async () => {
  const { every, pass, warned } = open()
  let rounds = 0
  const fails = () => {
    rounds += 1
    if (rounds === 1) throw new Error('at once')
    return rounds === 2 ? Promise.reject(new Error('later')) : undefined
  }
  every(10, fails, { what: 'test' })
  await pass(45)
  expect(rounds).toBe(4)
  expect(warned).toMatchObject([
    { what: 'test', err: { message: 'at once' } },
    { what: 'test', err: { message: 'later' } },
  ])
})

test('after the end no round begins, not even behind one that is under way', async () => {
  const { every, pass, planned } = open()
  const [rounds, slow] = [[] as string[], Promise.withResolvers<void>()]
  every(10, () => (rounds.push('slow'), slow.promise), { what: 'slow' })
  every(15, () => rounds.push('other'), { what: 'other' })
  await pass(12)
  every.stop()
  slow.resolve()
  await pass(50)
  expect([rounds, planned()]).toEqual([['slow'], 0])
})
