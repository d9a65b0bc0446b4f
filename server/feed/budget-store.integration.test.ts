import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS } from '@/lib/time/durations'
import type { DatabaseHandle } from '@/server/base/database'
import { upstreamRequests } from '@/server/base/schema'
import { onEachDatabase } from '@/server/base/testing/on-each-database'
import { createBudget } from './budget'
import { createDatabaseBudgetStore } from './budget-store'
import { type BudgetStore, isClockRow, type StoredLog, type StoredRequest } from './request-log'
import { createMemoryBudgetStore, createSimulatedTime } from './testing/budget-doubles'

/** `open` answers two ways to the same empty log, as two processes have. */
function budgetStoreSuite(name: string, open: () => { store: BudgetStore; other: BudgetStore }): void {
  const sent = (id: number, sentAt: number): StoredRequest => ({ id, purpose: 'list', sentAt, finishedAt: null })

  async function read(store: BudgetStore): Promise<StoredLog> {
    let seen: StoredLog = { requests: [], nowMs: 0 }
    await store.update((log) => {
      seen = log
      return { upserts: [], deletedIds: [] }
    })
    return {
      ...seen,
      requests: seen.requests.filter((request) => !isClockRow(request)).toSorted((a, b) => a.id - b.id),
    }
  }

  describe(`the ${name} store`, () => {
    test('keeps every field of a request for the next process, replaces by id and removes', async () => {
      const { store, other } = open()
      const lookup: StoredRequest = { id: 2, purpose: 'lookup', sentAt: 1_800_000_000_001, finishedAt: null }
      const backOff: StoredRequest = { ...sent(2 ** 48 - 2, 20), purpose: 'back-off', finishedAt: 1_800_000_090_000 }
      await store.update(() => ({ upserts: [sent(1, 10), lookup, backOff], deletedIds: [] }))
      expect((await read(other)).requests).toEqual([sent(1, 10), lookup, backOff])
      const finished = { ...lookup, finishedAt: 1_800_000_000_009 }
      await other.update(() => ({ upserts: [finished], deletedIds: [1] }))
      expect((await read(store)).requests).toEqual([finished, backOff])
    })

    test('makes the budgets of twelve processes one', async () => {
      const { store, other } = open()
      const limits = { perSecond: 30, perHour: 20 }
      const clock = createSimulatedTime()
      const budgets = Array.from({ length: 12 }, (_, at) =>
        createBudget({ limits, clock, store: at % 2 ? store : other }),
      )
      const tries = Array.from({ length: 3 }, () => budgets.map((budget) => budget.reserve('list')))
      const places = await Promise.all(tries.flat())
      expect(places.filter(({ ok }) => ok)).toHaveLength(19)
    })

    test('is cleared of what is older than two windows', async () => {
      const { store } = open()
      const clock = createSimulatedTime()
      const now = (await read(store)).nowMs
      const old = sent(1, now - 2 * HOUR_MS - 1)
      await store.update(() => ({ upserts: [{ ...old, finishedAt: old.sentAt }, sent(2, now)], deletedIds: [] }))
      await createBudget({ limits: { perSecond: 1, perHour: 1 }, clock, store }).sync()
      expect((await read(store)).requests.map(({ id }) => id)).toEqual([2])
    })
  })
}

budgetStoreSuite('memory', () => {
  const store = createMemoryBudgetStore(createSimulatedTime().now)
  return { store, other: store }
})

onEachDatabase('the log of requests', (name, openDatabase) => {
  let database: DatabaseHandle
  let otherWay: DatabaseHandle
  beforeAll(async () => {
    database = await openDatabase()
    // PGlite has one connection, and one process.
    otherWay = name === 'PGlite' ? database : await openDatabase()
  })
  beforeEach(async () => void (await database.db.delete(upstreamRequests)))
  afterAll(async () => {
    await database.close()
    if (otherWay !== database) await otherWay.close()
  })
  const storeOn = ({ db }: DatabaseHandle) => createDatabaseBudgetStore(async () => db)

  budgetStoreSuite(name, () => ({ store: storeOn(database), other: storeOn(otherWay) }))

  test('instances go by the clock of the database, not by their own', async () => {
    const limits = { perSecond: 10, perHour: 1 }
    const [late, early] = [createSimulatedTime(), createSimulatedTime()]
    early.step(9 * HOUR_MS)
    const [first, second] = [storeOn(database), storeOn(otherWay)]
    expect((await createBudget({ limits, clock: late, store: first }).reserve('list')).ok).toBe(true)
    expect((await createBudget({ limits, clock: early, store: second }).reserve('list')).ok).toBe(false)
  })
})
