import 'server-only'
import { inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Connect } from '@/server/db/db'
import { upstreamRequests } from '@/server/db/schema'
import { purposeOf, type BudgetStore, type StoredRequest } from './budget-store'

const ROWS_PER_STATEMENT = 5_000
const { id, purpose, sentAt, finishedAt } = upstreamRequests
/** In one value: in-process PostgreSQL takes four times as long to hand over a thousand rows one by one. */
const ALL_ROWS = sql`json_agg(json_build_array(${id}, ${purpose}, ${sentAt}, ${finishedAt}))`
const rowsSchema = z.array(z.tuple([z.number(), z.string(), z.number(), z.number().nullable()])).nullish()

/**
 * Survives a restart; `isAlone` when only one process at a time can open the database. The table lock makes reading and writing one step, also when an old process is
 * still leaving.
 */
export function createDatabaseBudgetStore(connect: Connect, { isAlone = false } = {}): BudgetStore {
  return {
    async update(change) {
      const db = await connect()
      await db.transaction(async (tx) => {
        await tx.execute(sql`lock table ${upstreamRequests} in share row exclusive mode`)
        const [answer] = await tx.select({ rows: ALL_ROWS }).from(upstreamRequests)
        const { write, remove } = change({ requests: requestsOf(answer?.rows), isAlone })
        for (const values of inParts(write)) {
          await tx
            .insert(upstreamRequests)
            .overridingSystemValue()
            .values(values)
            .onConflictDoUpdate({
              target: upstreamRequests.id,
              set: { sentAt: sql`excluded.sent_at`, finishedAt: sql`excluded.finished_at` },
            })
        }
        for (const ids of inParts(remove)) await tx.delete(upstreamRequests).where(inArray(upstreamRequests.id, ids))
      })
    },
  }
}

function requestsOf(rows: unknown): StoredRequest[] {
  const known = rowsSchema.parse(rows) ?? []
  return known.map((row) => ({ id: row[0], purpose: purposeOf(row[1]), sentAt: row[2], finishedAt: row[3] }))
}

/** PostgreSQL takes at most 65 535 parameters in a statement. */
function inParts<T>(all: T[]): T[][] {
  const parts: T[][] = []
  for (let from = 0; from < all.length; from += ROWS_PER_STATEMENT)
    parts.push(all.slice(from, from + ROWS_PER_STATEMENT))
  return parts
}
