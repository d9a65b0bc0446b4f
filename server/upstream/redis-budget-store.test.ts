import type { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBudget } from './budget'
import { createRedisBudgetStore } from './redis-budget-store'
import { describeBudgetStore } from '@/server/upstream/testing/budget-store-suite'
import { hasRedis, startPrivateRedis, type PrivateRedis } from '@/server/upstream/testing/private-redis'
import { createSimulatedTime } from '@/server/upstream/testing/simulated-time'

const KEY = 'budget-under-test'

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

  describeBudgetStore('Redis', { open })

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
