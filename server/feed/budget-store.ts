import { inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { toChunks } from '@/server/base/chunks'
import type { Connect } from '@/server/base/database'
import { upstreamRequests } from '@/server/base/schema'
import type { BudgetStore } from './request-log'

const IDS_PER_STATEMENT = 5_000
const { id, purpose, sentAt, finishedAt } = upstreamRequests
/** All rows come as one JSON value, because PGlite takes four times as long to hand over a thousand one by one. */
const allRowsAsJson = sql`json_agg(json_build_object(
  'id', ${id}, 'purpose', ${purpose}, 'sentAt', ${sentAt}, 'finishedAt', ${finishedAt}))`
const databaseNowMs = sql<number>`floor(extract(epoch from clock_timestamp()) * 1000)`.mapWith(Number)
/** A purpose that a newer release wrote counts as a list's. */
const purposeSchema = z.enum(['list', 'lookup', 'back-off', 'clock']).catch('list')
const rowsSchema = z
  .array(z.object({ id: z.number(), purpose: purposeSchema, sentAt: z.number(), finishedAt: z.number().nullable() }))
  .nullish()

/** All instances go by the database's clock. A table lock makes each update atomic. */
export function createDatabaseBudgetStore(connect: Connect): BudgetStore {
  return {
    async update(change) {
      const db = await connect()
      await db.transaction(async (tx) => {
        await tx.execute(sql`lock table ${upstreamRequests} in share row exclusive mode`)
        const [row] = await tx.select({ rows: allRowsAsJson, nowMs: databaseNowMs }).from(upstreamRequests)
        const { upserts, deletedIds } = change({ requests: rowsSchema.parse(row?.rows) ?? [], nowMs: row?.nowMs ?? 0 })
        const newTimes = { sentAt: sql`excluded.sent_at`, finishedAt: sql`excluded.finished_at` }
        if (upserts.length > 0)
          await tx
            .insert(upstreamRequests)
            .overridingSystemValue()
            .values(upserts)
            .onConflictDoUpdate({ target: upstreamRequests.id, set: newTimes })
        for (const ids of toChunks(deletedIds, IDS_PER_STATEMENT))
          await tx.delete(upstreamRequests).where(inArray(upstreamRequests.id, ids))
      })
    },
  }
}
