import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { LeadKind } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import type { Db } from '@/server/base/database'
import { exports } from '@/server/base/schema'

/** Finds which of the leads each export has, by the export's id. Exports without any of them are left out. */
export async function findExportsOf(db: Db, kind: LeadKind, ids: readonly string[]) {
  const wantedIds = sql`(select array_agg(value) from json_array_elements_text(${JSON.stringify(ids)}::json))`
  const sharedIds = sql<string[]>`array(select unnest(${exports.leadIds}) intersect select unnest(${wantedIds}))`
  const idsByExport = new Map<string, readonly string[]>()
  for await (const { id, result } of queryExports(db, kind, sharedIds))
    if (result.length > 0) idsByExport.set(id, result)
  return idsByExport
}

const EXPORTS_AT_ONCE = 5

/** Evaluates an expression for each export, a few at a time, because each may contain the ids of all leads. */
export function queryExports<T>(db: Db, kind: LeadKind | undefined, expression: SQL<T>) {
  const kindCondition = kind && eq(exports.list, LISTS_BY_KIND[kind].list)
  return readInBatches(EXPORTS_AT_ONCE, (after) =>
    db
      .select({ id: exports.id, result: expression })
      .from(exports)
      .where(and(gt(exports.id, after), kindCondition))
      .orderBy(asc(exports.id))
      .limit(EXPORTS_AT_ONCE),
  )
}

/** Reads all rows in batches, and pauses for the event loop in between. */
export async function* readInBatches<R extends { id: string }>(
  batchSize: number,
  readBatch: (after: string) => PromiseLike<R[]>,
) {
  let after: string | undefined = ''
  while (after !== undefined) {
    const batch: R[] = await readBatch(after)
    yield* batch
    after = batch.length < batchSize ? undefined : batch.at(-1)?.id
    await yieldToEventLoop()
  }
}
