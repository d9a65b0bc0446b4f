import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { LeadKind } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import type { Db } from '@/server/base/database'
import { exports } from '@/server/base/schema'

/** Finds which of the leads each export has, by the export's id. Exports without any of them are left out. */
export async function findExportsOf(db: Db, kind: LeadKind, ids: readonly string[]) {
  const sharedIds = sql<string[]>`array(select unnest(${exports.leadIds}) intersect select unnest(${toSqlArray(ids)}))`
  const idsByExport = new Map<string, readonly string[]>()
  for await (const { id, result } of queryExports(db, kind, sharedIds))
    if (result.length > 0) idsByExport.set(id, result)
  return idsByExport
}

/** Removes the ids from all exports, which stay in their log with their count. */
export async function removeFromExports(tx: Db, kind: LeadKind, ids: readonly string[]) {
  const removedIds = toSqlArray(ids)
  const remainingIds = sql`array(select id from unnest(${exports.leadIds}) with ordinality as exported(id, place)
    where id <> all(${removedIds}) order by place)`
  const affected = and(eq(exports.list, LISTS_BY_KIND[kind].list), sql`${exports.leadIds} && ${removedIds}`)
  await tx.update(exports).set({ leadIds: remainingIds }).where(affected)
}

/** One JSON parameter is faster than an array of 75 000. Characters that PostgreSQL cannot store are replaced. */
export function toSqlArray(ids: readonly string[]): SQL<string[]> {
  const storable = ids.map((id) => id.replaceAll('\0', '\ufffd').toWellFormed())
  return sql`array(select json_array_elements_text(${JSON.stringify(storable)}::json))`
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

/** Reads all rows in batches by ascending id, and lets other work run in between. */
export async function* readInBatches<Row extends { id: string }>(
  batchSize: number,
  readBatch: (after: string) => PromiseLike<Row[]>,
) {
  let batch: Row[] = []
  do {
    batch = await readBatch(batch.at(-1)?.id ?? '')
    yield* batch
    await yieldToEventLoop()
  } while (batch.length === batchSize)
}
