import { expect, test } from 'vitest'
import { createEvery } from './every'

/** A clock that the test moves, and what was logged. */
function open() {
  let now = 0
  let planned: { at: number; run: () => void }[] = []
  const warned: object[] = []
  const every = createEvery({
    schedule: (delayMs, run) => {
      const plan = { at: now + delayMs, run }
      planned.push(plan)
      return () => void (planned = planned.filter((one) => one !== plan))
    },
    logger: { warn: (line: object) => warned.push(line) },
  })
  const pass = async (ms: number) => {
    for (const end = now + ms; now < end; now += 1) {
      const due = planned.filter(({ at }) => at <= now)
      planned = planned.filter(({ at }) => at > now)
      for (const { run } of due) run()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { every, pass, warned, now: () => now, planned: () => planned.length }
}

test('a round begins so long after the one before has ended, however long that took', async () => {
  const { every, pass, now } = open()
  const [begun, slow] = [[] as number[], Promise.withResolvers<void>()]
  every(10, () => begun.push(now()) === 2 && slow.promise, { what: 'test', afterMs: 3 })
  await pass(50)
  expect(begun).toEqual([3, 13])
  slow.resolve()
  await pass(20)
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
