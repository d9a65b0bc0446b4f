import { describe, expect, test } from 'vitest'
import { HOUR_MS } from '@/lib/time/durations'
import { type Budget, type BudgetOptions, createBudget, type Reservation } from './budget'
import { type BudgetStore, type RequestPurpose } from './request-log'
import { createMemoryBudgetStore, createSimulatedTime } from './testing/budget-doubles'

const LIMITS = { perSecond: 10, perHour: 600 }
const ONE_A_SECOND = { perSecond: 1, perHour: 600 }

function setUp(options: Partial<BudgetOptions> = {}) {
  const time = createSimulatedTime()
  const store = createMemoryBudgetStore(time.now)
  const start = (more: Partial<BudgetOptions> = {}) =>
    createBudget({ limits: LIMITS, clock: time, store, ...options, ...more })
  return { time, store, start, budget: start() }
}

const isFree = async (budget: Budget, purpose: RequestPurpose = 'list') => (await budget.reserve(purpose)).ok

function granted(place: Reservation): Extract<Reservation, { ok: true }> {
  if (!place.ok) throw new Error('The budget refused')
  return place
}

test('a place is free again, for every instance, a second and a margin after the answer ended', async () => {
  const { time, start, budget } = setUp({ limits: ONE_A_SECOND })
  const other = start()
  const place = granted(await budget.reserve('list'))
  expect(await isFree(other)).toBe(false)
  time.pass(700)
  await place.finish()
  time.pass(1_049)
  expect(await other.reserve('list')).toEqual({ ok: false, retryAtMs: time.now() + 1 })
  time.pass(1)
  expect(await isFree(other)).toBe(true)
})

test('lists that all come in one second leave a look-up its place', async () => {
  const { budget } = setUp()
  const lists = await Promise.all(Array.from({ length: 20 }, () => budget.reserve('list')))
  expect(lists.filter(({ ok }) => ok)).toHaveLength(9)
  expect(await isFree(budget, 'lookup')).toBe(true)
  expect(await isFree(budget, 'lookup')).toBe(false)
})

describe('an hour', () => {
  /** Asks for a place every 1.1 seconds, and answers how often there was one. */
  async function spend({ time, budget }: ReturnType<typeof setUp>, times: number, purpose: RequestPurpose) {
    let spent = 0
    for (let count = 0; count < times; count += 1) {
      time.pass(1_100)
      const place = await budget.reserve(purpose)
      if (!place.ok) continue
      spent += 1
      await place.finish()
    }
    return spent
  }

  test('lends the places of look-ups to the lists but for two, however fast these come, also after a look-up', async () => {
    const world = setUp()
    expect(await spend(world, 1, 'lookup')).toBe(1)
    expect(await spend(world, 700, 'list')).toBe(LIMITS.perHour - 3)
    expect(world.budget.usage()).toEqual({ spentThisHour: 598, perHour: 600, perSecond: 10 })
    world.time.pass(60_000)
    expect(await spend(world, 2, 'lookup')).toBe(2)
  })

  test('that lists spend evenly has a place at once for a look-up now and then, and soon for a burst of them', async () => {
    const { time, budget } = setUp()
    const start = time.monotonic()
    const burst = 3.1 * HOUR_MS
    const nowAndThen = Array.from({ length: 29 }, (_, index) => HOUR_MS + index * 124_000)
    const due: { purpose: RequestPurpose; dueAt: number }[] = [{ purpose: 'list', dueAt: 0 }]
    for (const dueAt of [...nowAndThen, ...Array.from({ length: 40 }, () => burst)])
      due.push({ purpose: 'lookup', dueAt })
    const sent = { list: [] as number[], lookup: [] as number[] }
    while (time.monotonic() - start < 4.15 * HOUR_MS) {
      const { purpose, dueAt } = due.sort((a, b) => b.dueAt - a.dueAt).pop() ?? { purpose: 'list', dueAt: Infinity }
      time.pass(Math.max(0, start + dueAt - time.monotonic()))
      const now = time.monotonic() - start
      const place = await budget.reserve(purpose)
      if (!place.ok) {
        due.push({ purpose, dueAt: now + place.retryAtMs - time.now() })
        continue
      }
      sent[purpose].push(now)
      await place.finish()
      if (purpose === 'list') due.push({ purpose, dueAt: now + HOUR_MS / budget.listFetchesPerHour })
    }
    const countSent = (purpose: RequestPurpose, from: number, ms: number) =>
      sent[purpose].filter((at) => at >= from && at < from + ms).length
    expect(sent.lookup.slice(0, nowAndThen.length)).toEqual(nowAndThen)
    expect(countSent('lookup', burst, 1)).toBe(2)
    expect(countSent('lookup', burst, 420_000)).toBe(30)
    expect(countSent('lookup', burst, 1.005 * HOUR_MS)).toBe(30)
    expect(countSent('list', burst, HOUR_MS)).toBeGreaterThanOrEqual(560)
    const gaps = sent.list.slice(1).map((at, index) => at - (sent.list[index] ?? at))
    expect(Math.max(...gaps)).toBeLessThan(25_000)
  })
})

test('a wall clock that is set back keeps the budget shut for no longer than a window', async () => {
  const { time, start, budget } = setUp({ limits: { perSecond: 10, perHour: 1 } })
  await granted(await budget.reserve('list')).finish()
  time.step(-48 * HOUR_MS)
  const successor = start()
  expect(await isFree(successor)).toBe(false)
  time.pass(1.02 * HOUR_MS)
  expect(await isFree(successor)).toBe(true)
})

test('a wait for the store counts as no time when the clock is set after it', async () => {
  const { time, store, start, budget } = setUp({ limits: ONE_A_SECOND })
  await granted(await budget.reserve('list')).finish()
  let waitMs = 600
  const slow: BudgetStore = {
    update(change) {
      time.pass(waitMs)
      return store.update(change)
    },
  }
  const other = start({ store: slow })
  await other.sync()
  waitMs = 0
  time.step(1_000)
  expect(await isFree(other)).toBe(false)
})

test('a service that answers 429 in spite of it is left alone until the moment it named, also by the next process', async () => {
  const { time, start, budget } = setUp()
  await budget.backOff(90_000)
  const successor = start()
  expect(await budget.reserve('lookup')).toEqual({ ok: false, retryAtMs: time.now() + 90_000 })
  expect(await isFree(successor, 'lookup')).toBe(false)
  time.pass(91_000)
  expect(await isFree(budget, 'lookup')).toBe(true)
  expect(await isFree(successor)).toBe(true)
})

test('while the store is away nothing is sent, and it gets what it missed when it is back', async () => {
  const { time, store, start } = setUp({ limits: ONE_A_SECOND })
  let isDown = false
  const flaky: BudgetStore = {
    update: (change) => (isDown ? Promise.reject(new Error('down')) : store.update(change)),
  }
  const budget = start({ store: flaky })
  const place = granted(await budget.reserve('list'))
  isDown = true
  await place.finish()
  time.pass(10_000)
  expect(await budget.reserve('list')).toEqual({ ok: false, retryAtMs: time.now() + 5_000 })
  isDown = false
  await budget.sync()
  time.pass(1_050)
  expect(await isFree(start())).toBe(true)
})

test('a burst of look-ups that is refused asks the store once, until the moment that the refusal named', async () => {
  const { time, store, start } = setUp()
  let updates = 0
  const budget = start({ store: { update: (change) => (updates++, store.update(change)) } })
  const places = await Promise.all(Array.from({ length: 100 }, () => budget.reserve('lookup')))
  expect(places.filter(({ ok }) => ok)).toHaveLength(2)
  expect(updates).toBe(3)
  expect(await isFree(budget)).toBe(true)
  const refused = places.flatMap((place) => (place.ok ? [] : place.retryAtMs))
  time.pass(Math.max(...refused) - time.now())
  await budget.reserve('lookup')
  expect(updates).toBe(5)
})

test('a store that hangs does not hang us', async () => {
  const { budget } = setUp({ store: { update: () => new Promise(() => {}) }, storeTimeoutMs: 10 })
  expect(await isFree(budget)).toBe(false)
  expect(await isFree(budget)).toBe(false)
})

test('the process after one that died with requests under way waits six minutes for what it sent', async () => {
  const { time, start, budget } = setUp()
  for (let count = 0; count < 9; count += 1) await budget.reserve('list')
  const next = start()
  time.pass(359_000)
  expect(await isFree(next)).toBe(false)
  time.pass(5_000)
  expect(await isFree(next)).toBe(true)
})
