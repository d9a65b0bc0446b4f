import 'server-only'
import { inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Connect, toChunks } from '@/server/base/database'
import { upstreamRequests } from '@/server/base/schema'
import type { BudgetStore } from './request-log'

const ROWS_PER_STATEMENT = 5_000
const stored = upstreamRequests
/** In one value: PGlite takes four times as long to hand over a thousand rows one by one. */
const ALL_ROWS = sql`json_agg(json_build_array(${stored.id}, ${stored.purpose}, ${stored.sentAt}, ${stored.finishedAt}))`
const NOW_MS = sql<number>`floor(extract(epoch from clock_timestamp()) * 1000)`.mapWith(Number)
const purposeSchema = z.enum(['list', 'lookup', 'back-off', 'clock']).catch('list')
const requestSchema = z
  .tuple([z.number(), purposeSchema, z.number(), z.number().nullable()])
  .transform(([id, purpose, sentAt, finishedAt]) => ({ id, purpose, sentAt, finishedAt }))
const rowsSchema = z.array(requestSchema).nullish()

/**
 * The lock makes reading and writing one step. `isAlone` when only one process at a time can open it; else the clock is
 * the database's own, so that those of the instances need not agree.
 */
export function createDatabaseBudgetStore(connect: Connect, { isAlone = false } = {}): BudgetStore {
  return {
    async update(change) {
      const db = await connect()
      await db.transaction(async (tx) => {
        await tx.execute(sql`lock table ${upstreamRequests} in share row exclusive mode`)
        const [answer] = await tx.select({ rows: ALL_ROWS, nowMs: NOW_MS }).from(upstreamRequests)
        const requests = rowsSchema.parse(answer?.rows) ?? []
        const { write: upserts, remove: deletedIds } = change(isAlone || !answer ? { requests, isAlone } : { requests, nowMs: answer.nowMs })
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
