import 'server-only'
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OpenDatabase } from '@/server/base/database'
import { upstreamRequests } from '@/server/base/schema'
import { openPgliteInMemory } from '@/server/base/testing/in-memory'
import { createMemoryBudgetStore, createSimulatedTime } from './testing/budget-doubles'
import { startPrivateRedis, withRedis } from './testing/private-redis'
import { createBudget } from './budget'
import { createDatabaseBudgetStore, createRecordedBudgetStore, createRedisBudgetStore } from './budget-store'
import { budgetStoreSuite } from './budget-store-suite'
import { type BudgetStore, HOUR_MS, isRequest } from './request-log'

const KEY = 'budget-under-test'
const warnings: object[] = []
const logger = { warn: (details: object) => void warnings.push(details) }
beforeEach(() => void (warnings.length = 0))
let database: OpenDatabase
beforeAll(async () => void (database = await openPgliteInMemory()))
afterAll(() => database.close())
const databaseStore = () => createDatabaseBudgetStore(async () => database.db)
const recorded = (live: BudgetStore, record: BudgetStore) => createRecordedBudgetStore({ live, record, logger })

budgetStoreSuite('memory', {
  open: async () => {
    const store = createMemoryBudgetStore()
    return { store, other: store }
  },
})

budgetStoreSuite('database', {
  open: async () => {
    await database.db.delete(upstreamRequests)
    return { store: databaseStore(), other: databaseStore() }
  },
})

budgetStoreSuite('recorded', {
  open: async () => {
    const [live, record] = [createMemoryBudgetStore(), createMemoryBudgetStore()]
    return { store: recorded(live, record), other: recorded(live, record) }
  },
})

withRedis('the log of requests', (connect) => {
  let clients: { first: Redis; second: Redis }
  beforeAll(() => void (clients = { first: connect(), second: connect() }))

  const open = async () => {
    await clients.first.del(KEY)
    return { store: createRedisBudgetStore(clients.first, KEY), other: createRedisBudgetStore(clients.second, KEY) }
  }

  budgetStoreSuite('Redis', { open })

  test('nothing lingers: the log goes when nothing was written for some hours', async () => {
    const { store } = await open()
    await createBudget({ limits: { perSecond: 1, perHour: 1 }, clock: createSimulatedTime(), store }).reserve('list')
    const expiresInMs = await clients.first.pttl(KEY)
    expect(expiresInMs).toBeGreaterThan(2 * HOUR_MS)
    expect(expiresInMs).toBeLessThanOrEqual(2.5 * HOUR_MS)
  })

  test('its clock counts, not those of the instances', async () => {
    const { store, other } = await open()
    const limits = { perSecond: 10, perHour: 1 }
    const [late, early] = [createSimulatedTime(), createSimulatedTime()]
    early.step(9 * HOUR_MS)
    expect((await createBudget({ limits, clock: late, store }).reserve('list')).ok).toBe(true)
    expect((await createBudget({ limits, clock: early, store: other }).reserve('list')).ok).toBe(false)
  })

  test('a Redis that keeps nothing and restarts together with Intag, fourteen times: the hour holds', async () => {
    const [RESTARTS, perHour] = [14, 40]
    const clock = { now: Date.now, monotonic: () => performance.now() }
    await database.db.delete(upstreamRequests)
    let sent = 0
    for (let count = 0; count < RESTARTS; count += 1) {
      const redis = await startPrivateRedis()
      const store = recorded(createRedisBudgetStore(redis.connect()), databaseStore())
      const budget = createBudget({ limits: { perSecond: 1_000, perHour }, clock, store })
      await budget.sync()
      for (let tries = 0; tries < 5; tries += 1) {
        const place = await budget.reserve(tries % 5 ? 'list' : 'lookup')
        if (!place.ok) continue
        sent += 1
        // The others are under way when the process is killed.
        if (tries % 2) await place.finish()
      }
      await redis.stop()
    }
    expect(sent).toBeLessThanOrEqual(perHour)
    expect(sent).toBeGreaterThan(30)
    expect(warnings).toHaveLength(RESTARTS - 1)
  })
})

describe('with a record, every request is in both stores', () => {
  const clock = createSimulatedTime()
  const limits = { perSecond: 10, perHour: 10 }
  const broken: BudgetStore = { update: () => Promise.reject(new Error('away')) }
  const over = (live: BudgetStore, record: BudgetStore) =>
    createBudget({ limits, clock, store: recorded(live, record), logger: { warn() {} } })

  async function requestsIn(store: BudgetStore): Promise<number> {
    let count = 0
    await store.update(({ requests }) => {
      count = requests.filter(isRequest).length
      return { write: [], remove: [] }
    })
    return count
  }

  test('before it is sent, and while either is away nothing is sent, nor a place used up', async () => {
    const [live, record] = [createMemoryBudgetStore(), createMemoryBudgetStore()]
    expect((await over(live, record).reserve('list')).ok).toBe(true)
    expect([await requestsIn(live), await requestsIn(record)]).toEqual([1, 1])
    for (const budget of [over(broken, record), over(live, broken)])
      expect((await budget.reserve('list')).ok).toBe(false)
    expect([await requestsIn(live), await requestsIn(record)]).toEqual([1, 1])
  })

  test('each store is refilled from the other; a Redis that has forgotten is logged once', async () => {
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
