import type { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenDatabase } from '@/server/db/database'
import { openPgliteInMemory } from '@/server/db/testing/in-memory'
import { upstreamRequests } from '@/server/db/schema'
import { createMemoryBudgetStore, createSimulatedTime } from '@/server/upstream/testing/budget-doubles'
import { budgetStoreSuite } from './budget-store-suite'
import { hasRedis, type PrivateRedis, startPrivateRedis } from '@/server/upstream/testing/private-redis'
import { createBudget } from './budget'
import { createDatabaseBudgetStore, createRedisBudgetStore } from './budget-store'

const KEY = 'budget-under-test'

budgetStoreSuite('memory', {
  open: async () => {
    const store = createMemoryBudgetStore()
    return { store, other: store }
  },
})

describe('with a database of its own', () => {
  let database: OpenDatabase
  beforeAll(async () => void (database = await openPgliteInMemory()))
  afterAll(() => database.close())

  budgetStoreSuite('database', {
    open: async () => {
      await database.db.delete(upstreamRequests)
      const connect = async () => database.db
      return { store: createDatabaseBudgetStore(connect), other: createDatabaseBudgetStore(connect) }
    },
  })
})

describe.runIf(hasRedis)('with a Redis of its own', () => {
  let redis: PrivateRedis
  let clients: { first: Redis; second: Redis }
  beforeAll(async () => {
    redis = await startPrivateRedis()
    clients = { first: redis.connect(), second: redis.connect() }
  })
  afterAll(() => redis.stop())

  const open = async () => {
    await clients.first.del(KEY)
    const [store, other] = [clients.first, clients.second].map((client) => createRedisBudgetStore(client, KEY))
    if (!store || !other) throw new Error('There are two clients')
    return { store, other }
  }

  budgetStoreSuite('Redis', { open })

  test('nothing lingers: the log goes when nothing was written for some hours', async () => {
    const { store } = await open()
    await createBudget({ limits: { perSecond: 1, perHour: 1 }, clock: createSimulatedTime(), store }).reserve('list')
    const expiresInMs = await clients.first.pttl(KEY)
    expect(expiresInMs).toBeGreaterThan(2 * 3_600_000)
    expect(expiresInMs).toBeLessThanOrEqual(2.5 * 3_600_000)
  })

  test('its clock counts, however wrong those of the instances are', async () => {
    const { store, other } = await open()
    const limits = { perSecond: 10, perHour: 1 }
    const [late, early] = [createSimulatedTime(), createSimulatedTime()]
    early.step(9 * 3_600_000)
    expect((await createBudget({ limits, clock: late, store }).reserve('list')).ok).toBe(true)
    expect((await createBudget({ limits, clock: early, store: other }).reserve('list')).ok).toBe(false)
  })
})

test.skipIf(hasRedis)('no redis-server on this machine: its store is not tested here', () => {
  expect(process.env['CI'], 'under CI there must be a redis-server').not.toBe('true')
})
