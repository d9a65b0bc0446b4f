import 'server-only'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OpenDatabase } from '@/server/base/database'
import { upstreamRequests } from '@/server/base/schema'
import { onEachDatabase } from '@/server/base/testing/on-each-database'
import { createMemoryBudgetStore, createSimulatedTime } from './testing/budget-doubles'
import { createBudget } from './budget'
import { createDatabaseBudgetStore } from './budget-store'
import { budgetStoreSuite } from './budget-store-suite'
import { HOUR_MS } from './request-log'

budgetStoreSuite('memory', {
  open: async () => {
    const store = createMemoryBudgetStore()
    return { store, other: store }
  },
})

onEachDatabase('the log of requests', (name, openDatabase) => {
  let database: OpenDatabase
  let otherWay: OpenDatabase
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
  const storeOn = ({ db }: OpenDatabase) => createDatabaseBudgetStore(async () => db)

  budgetStoreSuite(name, { open: async () => ({ store: storeOn(database), other: storeOn(otherWay) }) })

  describe('shared by instances', () => {
    test('has the clock of the database, not those of the instances', async () => {
      const limits = { perSecond: 10, perHour: 1 }
      const [late, early] = [createSimulatedTime(), createSimulatedTime()]
      early.step(9 * HOUR_MS)
      const [first, second] = [storeOn(database), storeOn(otherWay)]
      expect((await createBudget({ limits, clock: late, store: first }).reserve('list')).ok).toBe(true)
      expect((await createBudget({ limits, clock: early, store: second }).reserve('list')).ok).toBe(false)
    })

    test('holds the hour through fourteen restarts with requests under way', async () => {
      const [RESTARTS, perHour] = [14, 40]
      const clock = { now: Date.now, monotonic: () => performance.now() }
      let sent = 0
      for (let count = 0; count < RESTARTS; count += 1) {
        const budget = createBudget({ limits: { perSecond: 1_000, perHour }, clock, store: storeOn(database) })
        await budget.sync()
        for (let tries = 0; tries < 5; tries += 1) {
          const place = await budget.reserve(tries % 5 ? 'list' : 'lookup')
          if (!place.ok) continue
          sent += 1
          // The others are under way when the process is killed.
          if (tries % 2) await place.finish()
        }
      }
      expect(sent).toBeLessThanOrEqual(perHour)
      expect(sent).toBeGreaterThan(30)
    })
  })
})
