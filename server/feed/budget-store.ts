import { inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Connect, toChunks } from '@/server/base/database'
import { upstreamRequests } from '@/server/base/schema'
import type { BudgetStore } from './request-log'

const ROWS_PER_STATEMENT = 5_000
const { id, purpose, sentAt, finishedAt } = upstreamRequests
/** All rows come as one JSON value, because PGlite takes four times as long to hand over a thousand one by one. */
const ALL_ROWS = sql`json_agg(json_build_object(
  'id', ${id}, 'purpose', ${purpose}, 'sentAt', ${sentAt}, 'finishedAt', ${finishedAt}))`
const NOW_MS = sql<number>`floor(extract(epoch from clock_timestamp()) * 1000)`.mapWith(Number)
const purposeSchema = z.enum(['list', 'lookup', 'back-off', 'clock']).catch('list')
const rowsSchema = z
  .array(z.object({ id: z.number(), purpose: purposeSchema, sentAt: z.number(), finishedAt: z.number().nullable() }))
  .nullish()

/** Several processes go by the database's clock, because theirs may differ. A table lock makes each update one step. */
export function createDatabaseBudgetStore(connect: Connect, { isSingleProcess = false } = {}): BudgetStore {
  return {
    async update(change) {
      const db = await connect()
      await db.transaction(async (tx) => {
        await tx.execute(sql`lock table ${upstreamRequests} in share row exclusive mode`)
        const [row] = await tx.select({ rows: ALL_ROWS, nowMs: NOW_MS }).from(upstreamRequests)
        const requests = rowsSchema.parse(row?.rows) ?? []
        const log = isSingleProcess || !row ? { requests, isSingleProcess } : { requests, nowMs: row.nowMs }
        const { upserts, deletedIds } = change(log)
        for (const values of toChunks(upserts, ROWS_PER_STATEMENT)) {
          await tx
            .insert(upstreamRequests)
            .overridingSystemValue()
            .values(values)
            .onConflictDoUpdate({
              target: upstreamRequests.id,
              set: { sentAt: sql`excluded.sent_at`, finishedAt: sql`excluded.finished_at` },
            })
        }
        for (const ids of toChunks(deletedIds, ROWS_PER_STATEMENT))
          await tx.delete(upstreamRequests).where(inArray(upstreamRequests.id, ids))
      })
    },
  }
}
