import { describe, expect, test } from 'vitest'
import { createMemoryBudgetStore, createSimulatedTime } from './testing/budget-doubles'
import { type Budget, type BudgetOptions, createBudget, type Reservation } from './budget'
import { type BudgetStore, ABANDONED_MS, HOUR_MS, UNFINISHED_MS, type Purpose } from './request-log'

const LIMITS = { perSecond: 10, perHour: 600 }

function setUp(options: Partial<BudgetOptions> = {}) {
  const time = createSimulatedTime()
  const store = createMemoryBudgetStore()
  const budget = createBudget({ limits: LIMITS, clock: time, store, ...options })
  return { time, store, budget }
}

const ONE_A_SECOND = { perSecond: 1, perHour: 600 }

async function send(budget: Budget, purpose: Purpose, answer?: 'whole' | 'abandoned'): Promise<void> {
  await granted(await budget.reserve(purpose)).finish(answer)
}

const isFree = async (budget: Budget, purpose: Purpose = 'list') => (await budget.reserve(purpose)).ok

function granted(place: Reservation): Extract<Reservation, { ok: true }> {
  if (!place.ok) throw new Error('The budget refused')
  return place
}

describe('the window of a second', () => {
  test('opens again a second and a margin after the answer ended, not after the sending', async () => {
    const { time, budget } = setUp({ limits: ONE_A_SECOND })
    const place = granted(await budget.reserve('list'))
    time.pass(700)
    await place.finish()
    time.pass(1_049)
    expect(await budget.reserve('list')).toEqual({ ok: false, retryAtMs: time.now() + 1 })
    time.pass(1)
    expect(await isFree(budget)).toBe(true)
  })

  test('lets a look-up through while lists take all of theirs', async () => {
    const { budget } = setUp()
    const lists = await Promise.all(Array.from({ length: 20 }, () => budget.reserve('list')))
    expect(lists.filter(({ ok }) => ok)).toHaveLength(9)
    expect(await isFree(budget, 'lookup')).toBe(true)
    expect(await isFree(budget, 'lookup')).toBe(false)
  })

  test('keeps the place of an abandoned request, which the service may still count', async () => {
    const { time, budget } = setUp({ limits: ONE_A_SECOND })
    await send(budget, 'list', 'abandoned')
    expect(budget.nextFreeAt('list')).toBe(time.now() + ABANDONED_MS + 1_050)
  })
})

test('an instance learns that the request of another has ended', async () => {
  const { time, store, budget } = setUp({ limits: ONE_A_SECOND })
  const other = createBudget({ limits: ONE_A_SECOND, clock: time, store })
  const place = granted(await budget.reserve('list'))
  expect(await isFree(other)).toBe(false)
  await place.finish()
  time.pass(1_050)
  expect(await isFree(other)).toBe(true)
})

test('the window of an hour is split, so that lists never starve a look-up nor look-ups the lists', async () => {
  const spent = { list: 0, lookup: 0 }
  const { time, budget } = setUp()
  for (let i = 0; i < 3_000; i++) {
    for (const purpose of ['list', 'lookup'] satisfies Purpose[]) {
      const place = await budget.reserve(purpose)
      if (!place.ok) continue
      spent[purpose] += 1
      await place.finish()
    }
    time.pass(1_100)
  }
  expect(spent).toEqual({ list: 570, lookup: 30 })
  expect(budget.usage()).toEqual({ spentThisHour: 600, perHour: 600, perSecond: 10 })
})

describe('places lent to the lists', () => {
  type Sent = { purpose: Purpose; at: number }

  /** Lists as fast as the pace says, and look-ups that are tried again when the budget said; `until` and moments in ms. */
  async function live({ time, budget }: ReturnType<typeof setUp>, until: number, lookups: number[]) {
    const start = time.monotonic()
    const now = () => time.monotonic() - start
    const sent: Sent[] = []
    const due: Sent[] = [{ purpose: 'list', at: 0 }, ...lookups.map((at) => ({ purpose: 'lookup' as const, at }))]
    for (;;) {
      const next = due.sort((a, b) => b.at - a.at).pop()
      if (!next || next.at > until) return sent
      time.pass(Math.max(0, next.at - now()))
      const place = await budget.reserve(next.purpose)
      if (!place.ok) {
        due.push({ ...next, at: now() + place.retryAtMs - time.now() })
        continue
      }
      sent.push({ ...next, at: now() })
      await place.finish()
      const { purpose, at } = next
      if (purpose === 'list') due.push({ purpose, at: at + paceMs(budget) })
    }
  }
  const paceMs = (budget: Budget) => HOUR_MS / budget.listsPerHour()
  const moments = (sent: Sent[], purpose: Purpose) => sent.filter((one) => one.purpose === purpose).map(({ at }) => at)
  const most = (all: number[], windowMs: number) =>
    Math.max(...all.map((from) => all.filter((at) => at >= from && at <= from + windowMs).length))
  const longestGap = (all: number[]) => Math.max(...all.slice(1).map((at, index) => at - (all[index] ?? at)))

  test('leave two in hand: an occasional look-up has a place at once, also in the fullest hour', async () => {
    const lookups = Array.from({ length: 29 }, (_, index) => 2 * HOUR_MS + index * 124_000)
    const sent = await live(setUp(), 3 * HOUR_MS, lookups)
    expect(moments(sent, 'lookup')).toEqual(lookups)
  })

  test('leave two in hand also after a look-up, however fast the lists come', async () => {
    const { time, budget } = setUp()
    await send(budget, 'lookup')
    let lists = 0
    for (let tries = 0; tries < 700; tries++) {
      time.pass(1_100)
      const place = await budget.reserve('list')
      if (!place.ok) continue
      lists += 1
      await place.finish()
    }
    expect(lists).toBe(LIMITS.perHour - 3)
    time.pass(60_000)
    for (const is of [true, true]) expect(await isFree(budget, 'lookup')).toBe(is)
  })

  test('return to look-ups when they are wanted, while the lists go on', async () => {
    const burst = 2 * HOUR_MS
    const sent = await live(
      setUp(),
      3.1 * HOUR_MS,
      Array.from({ length: 40 }, () => burst),
    )
    const lookups = moments(sent, 'lookup')
    expect(lookups.filter((at) => at === burst).length).toBeGreaterThanOrEqual(2)
    expect(lookups.filter((at) => at < burst + 7 * 60_000)).toHaveLength(30)
    expect(most(lookups, 1.005 * HOUR_MS)).toBe(30)
    const lists = moments(sent, 'list').filter((at) => at > burst - 60_000)
    expect(longestGap(lists)).toBeLessThan(25_000)
    expect(lists.filter((at) => at >= burst && at < burst + HOUR_MS).length).toBeGreaterThanOrEqual(560)
    expect(most([...lookups, ...moments(sent, 'list')], 1.005 * HOUR_MS)).toBeLessThanOrEqual(LIMITS.perHour)
  })

  test('without look-ups nearly all places are used evenly; the first ten minutes are faster, and no hour loses more than a hundredth', async () => {
    const lists = moments(await live(setUp(), 3 * HOUR_MS, []), 'list')
    expect(most(lists, 1.005 * HOUR_MS)).toBeLessThanOrEqual(LIMITS.perHour - 2)
    expect(longestGap(lists.filter((at) => at > 1.2 * HOUR_MS))).toBeLessThan(6_500)
    expect(lists.filter((at) => at > 2 * HOUR_MS).length).toBeGreaterThan(0.98 * LIMITS.perHour)
    const within = (from: number, to: number) => lists.filter((at) => at >= from * 60_000 && at < to * 60_000).length
    expect(within(0, 10)).toBeGreaterThan(120)
    for (const to of [60, 120, 180]) {
      const from = Math.max(10, to - 60)
      expect(within(from, to) / (to - from)).toBeGreaterThan(0.935 * 10)
    }
    expect(within(60, 180)).toBeGreaterThan(0.98 * 1_200)
    expect(longestGap(lists)).toBeLessThan(7_000)
  })

  test('a budget of one request an hour is spent too', () => {
    expect(setUp({ limits: { perSecond: 1, perHour: 1 } }).budget.listsPerHour()).toBeGreaterThan(0.98)
  })
})

test('a wall clock that steps does not keep the budget shut for longer than a window after it was set back', async () => {
  const limits = { perSecond: 10, perHour: 1 }
  const { time, store, budget } = setUp({ limits })
  await send(budget, 'list')
  time.step(-48 * HOUR_MS)
  const successor = createBudget({ limits, clock: time, store })
  expect(await isFree(successor)).toBe(false)
  time.pass(1.02 * HOUR_MS)
  expect(await isFree(successor)).toBe(true)
})

describe('a service that answers 429 in spite of the budget', () => {
  test('is left alone until the moment it named, also by the next process', async () => {
    const { time, store, budget } = setUp()
    await budget.backOff(time.now() + 90_000)
    const successor = createBudget({ limits: LIMITS, clock: time, store })
    expect(await budget.reserve('lookup')).toEqual({ ok: false, retryAtMs: time.now() + 90_000 })
    expect(await isFree(successor, 'lookup')).toBe(false)
    time.pass(91_000)
    expect(await isFree(budget, 'lookup')).toBe(true)
    expect(await isFree(successor)).toBe(true)
  })

  test('keeps us silent for an hour at most', async () => {
    const { time, budget } = setUp()
    await budget.backOff(time.now() + 99 * HOUR_MS)
    expect(budget.nextFreeAt('list')).toBe(time.now() + HOUR_MS)
  })
})

describe('a store that fails', () => {
  test('sends nothing, and logs that', async () => {
    const warnings: string[] = []
    const logger = { warn: (_: object, message: string) => void warnings.push(message) }
    const store: BudgetStore = { update: () => Promise.reject(new Error('down')) }
    const { time, budget } = setUp({ store, logger })
    expect(await budget.reserve('list')).toEqual({ ok: false, retryAtMs: time.now() + 5_000 })
    expect(warnings).toEqual(['the log of requests to the service cannot be kept'])
  })

  test('by hanging, does not hang us', async () => {
    const { budget } = setUp({ store: { update: () => new Promise(() => {}) }, storeTimeoutMs: 10 })
    expect(await isFree(budget)).toBe(false)
    expect(await isFree(budget)).toBe(false)
  })

  test('gets what it missed when it is back', async () => {
    const { time, store } = setUp()
    let isDown = false
    const flaky: BudgetStore = {
      update: (change) => (isDown ? Promise.reject(new Error('down')) : store.update(change)),
    }
    const budget = createBudget({ limits: ONE_A_SECOND, clock: time, store: flaky })
    const place = granted(await budget.reserve('list'))
    isDown = true
    await place.finish()
    isDown = false
    await budget.sync()
    const successor = createBudget({ limits: ONE_A_SECOND, clock: time, store })
    time.pass(1_000 + 1_050)
    expect(await isFree(successor)).toBe(true)
  })
})

test('many refusals read the store once a second', async () => {
  const { time, store } = setUp()
  let updates = 0
  const counting: BudgetStore = { update: (change) => ((updates += 1), store.update(change)) }
  const budget = createBudget({ limits: { perSecond: 1, perHour: 1 }, clock: time, store: counting })
  await budget.reserve('list')
  const refused = await Promise.all(Array.from({ length: 1_000 }, () => budget.reserve('list')))
  expect(refused.some(({ ok }) => ok)).toBe(false)
  expect(updates).toBe(1)
})

describe('a process that died with requests under way', () => {
  /** After how many seconds the next process may send its first request; nine were under way. */
  async function silence(isAlone: boolean): Promise<number> {
    const { time, store, budget } = setUp()
    for (let count = 0; count < 9; count += 1) await budget.reserve('list')
    const asOpened: BudgetStore = { update: (change) => store.update((log) => change({ ...log, isAlone })) }
    const next = createBudget({ limits: LIMITS, clock: time, store: asOpened })
    const diedAt = time.monotonic()
    while (!(await isFree(next))) time.pass(1_000)
    return (time.monotonic() - diedAt) / 1_000
  }

  test('a process that is alone knows that the one before it is dead, and waits only until its requests are', async () => {
    expect(await silence(true)).toBeLessThan(65)
    expect(await silence(true)).toBeGreaterThanOrEqual(60)
  })

  test('among several instances an open request may be another’s, and is waited for', async () => {
    expect(await silence(false)).toBeGreaterThan(UNFINISHED_MS / 1_000)
    expect(await silence(false)).toBeLessThan(UNFINISHED_MS / 1_000 + 3)
  })
})
