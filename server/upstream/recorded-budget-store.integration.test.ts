import 'server-only'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OpenDatabase } from '@/server/db/database'
import { upstreamRequests } from '@/server/db/schema'
import { openPgliteInMemory } from '@/server/db/testing/in-memory'
import { createMemoryBudgetStore, createSimulatedTime } from '@/server/upstream/testing/budget-doubles'
import { hasRedis, startPrivateRedis } from '@/server/upstream/testing/private-redis'
import { createBudget } from './budget'
import { type BudgetStore, createDatabaseBudgetStore, createRedisBudgetStore } from './budget-store'
import { budgetStoreSuite } from './budget-store-suite'
import { isRequest } from './request-log'
import { createRecordedBudgetStore } from './recorded-budget-store'

const broken: BudgetStore = { update: () => Promise.reject(new Error('away')) }
const warnings: object[] = []
const logger = { warn: (details: object) => void warnings.push(details) }
beforeEach(() => void (warnings.length = 0))

budgetStoreSuite('recorded', {
  open: async () => {
    const stores = { live: createMemoryBudgetStore(), record: createMemoryBudgetStore(), logger }
    return { store: createRecordedBudgetStore(stores), other: createRecordedBudgetStore(stores) }
  },
})

async function requestsIn(store: BudgetStore): Promise<number> {
  let count = 0
  await store.update(({ requests }) => {
    count = requests.filter(isRequest).length
    return { write: [], remove: [] }
  })
  return count
}

describe('what is sent stands in both', () => {
  const clock = createSimulatedTime()
  const limits = { perSecond: 10, perHour: 10 }
  const over = (live: BudgetStore, record: BudgetStore) =>
    createBudget({ limits, clock, store: createRecordedBudgetStore({ live, record, logger }), logger: { warn() {} } })

  test('before it is sent, and while either is away nothing is sent, nor a place used up', async () => {
    const [live, record] = [createMemoryBudgetStore(), createMemoryBudgetStore()]
    expect((await over(live, record).reserve('list')).ok).toBe(true)
    expect([await requestsIn(live), await requestsIn(record)]).toEqual([1, 1])
    for (const budget of [over(broken, record), over(live, broken)])
      expect((await budget.reserve('list')).ok).toBe(false)
    expect([await requestsIn(live), await requestsIn(record)]).toEqual([1, 1])
  })

  test('either is filled again from the other; that Redis has forgotten is said once', async () => {
    const record = createMemoryBudgetStore()
    await over(createMemoryBudgetStore(), record).reserve('list')
    const empty = createMemoryBudgetStore()
    const budget = over(empty, record)
    await budget.sync()
    await budget.sync()
    expect([await requestsIn(empty), budget.usage().spentThisHour]).toEqual([1, 1])
    expect(warnings).toEqual([{ requests: 1 }])
    // As after an update from a release that kept no record.
    const fresh = createMemoryBudgetStore()
    await over(empty, fresh).sync()
    expect(await requestsIn(fresh)).toBe(1)
    expect(warnings).toHaveLength(1)
  })
})

describe.runIf(hasRedis)('Redis keeps nothing, and restarts together with Intag, fourteen times', () => {
  let database: OpenDatabase
  beforeAll(async () => void (database = await openPgliteInMemory()))
  afterAll(() => database.close())
  const record = createDatabaseBudgetStore(async () => database.db)
  const clock = { now: Date.now, monotonic: () => performance.now() }
  const RESTARTS = 14

  /** When requests were sent, by processes that each begin with an empty Redis and are killed with their requests under way. */
  async function restarts(limits: { perSecond: number; perHour: number }, triesEach: number): Promise<number[]> {
    await database.db.delete(upstreamRequests)
    const sent: number[] = []
    for (let count = 0; count < RESTARTS; count += 1) {
      const redis = await startPrivateRedis()
      const live = createRedisBudgetStore(redis.connect())
      const budget = createBudget({ limits, clock, store: createRecordedBudgetStore({ live, record, logger }) })
      await budget.sync()
      for (let tries = 0; tries < triesEach; tries += 1) {
        const place = await budget.reserve(tries % 5 ? 'list' : 'lookup')
        if (place.ok) sent.push(performance.now())
        if (place.ok && tries % 2) await place.finish()
      }
      await redis.stop()
    }
    return sent
  }

  test('the hour holds', async () => {
    const sent = await restarts({ perSecond: 1_000, perHour: 40 }, 5)
    expect(sent.length).toBeLessThanOrEqual(40)
    expect(sent.length).toBeGreaterThan(30)
    expect(warnings).toHaveLength(RESTARTS - 1)
  })

  test('the second holds', async () => {
    const sent = await restarts({ perSecond: 5, perHour: 600 }, 3)
    expect(sent.length).toBeGreaterThanOrEqual(5)
    const sixthsAfterMs = sent.slice(5).map((at, index) => at - (sent[index] ?? 0))
    expect(Math.min(1_001, ...sixthsAfterMs)).toBeGreaterThan(1_000)
  })

  test('a Redis that is lost while Intag runs does not give its places again', async () => {
    await database.db.delete(upstreamRequests)
    const limits = { perSecond: 1_000, perHour: 20 }
    let sent = 0
    const servers = [await startPrivateRedis(), await startPrivateRedis()]
    const [first, second] = servers.map((redis) => createRedisBudgetStore(redis.connect()))
    if (!first || !second) throw new Error('There are two servers')
    const state = { live: first }
    const live: BudgetStore = { update: (change) => state.live.update(change) }
    const open = () => createBudget({ limits, clock, store: createRecordedBudgetStore({ live, record, logger }) })
    const budgets = [open(), open()]
    for (let count = 0; count < 30; count += 1) {
      if (count === 12) state.live = second
      if (count === 20) budgets[0] = open()
      if ((await budgets[count % 2]?.reserve('list'))?.ok) sent += 1
    }
    await Promise.all(servers.map((redis) => redis.stop()))
    expect(sent).toBeLessThanOrEqual(20)
    expect(sent).toBeGreaterThan(15)
  })
})

test.skipIf(hasRedis)('no redis-server on this machine: its restarts are not tested here', () => {
  expect(process.env['CI'], 'under CI there must be a redis-server').not.toBe('true')
})
