import { afterAll, beforeAll } from 'vitest'
import type { OpenDatabase } from '@/server/db/open-database'
import { openPgliteInMemory } from '@/server/db/open-pglite'
import { upstreamRequests } from '@/server/db/schema'
import { createDatabaseBudgetStore } from './database-budget-store'
import { describeBudgetStore } from '@/server/upstream/testing/budget-store-suite'

let database: OpenDatabase
beforeAll(async () => void (database = await openPgliteInMemory()))
afterAll(() => database.close())

describeBudgetStore('database', {
  open: async () => {
    await database.db.delete(upstreamRequests)
    const connect = async () => database.db
    return { store: createDatabaseBudgetStore(connect), other: createDatabaseBudgetStore(connect) }
  },
})
