import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { LeadKind } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import type { Db } from '@/server/base/database'
import { readInBatches } from '@/server/base/read-in-batches'
import { exports } from '@/server/base/schema'

/** Each export may have the ids of all leads, so few are read at once. */
const EXPORTS_AT_ONCE = 5

/** Finds which of the leads each export has, by the export's id. Exports without any of them are left out. */
export async function findLeadIdsByExport(db: Db, kind: LeadKind, leadIds: readonly string[]) {
  const wantedIds = toSqlArray(leadIds)
  const sharedIds = sql<string[]>`array(select unnest(${exports.leadIds}) intersect select unnest(${wantedIds}))`
  const isOfList = eq(exports.list, LISTS_BY_KIND[kind].list)
  const batches = readInBatches(EXPORTS_AT_ONCE, (afterId, limit) => {
    const rows = db.select({ id: exports.id, leads: sharedIds }).from(exports)
    return rows
      .where(and(gt(exports.id, afterId), isOfList))
      .orderBy(exports.id)
      .limit(limit)
  })
  const idsByExport = new Map<string, readonly string[]>()
  for await (const { id, leads } of batches) if (leads.length > 0) idsByExport.set(id, leads)
  return idsByExport
}

/** Removes leads from all exports, which stay in their log with their count. */
export async function removeFromExports(tx: Db, kind: LeadKind, leadIds: readonly string[]) {
  const removedIds = toSqlArray(leadIds)
  // PostgreSQL hashes the ids of `not in (select …)`, but compares those of `<> all(…)` one by one.
  const remainingIds = sql`array(select id from unnest(${exports.leadIds}) with ordinality as exported(id, place)
    where id not in (select unnest(${removedIds})) order by place)`
  const affected = and(eq(exports.list, LISTS_BY_KIND[kind].list), sql`${exports.leadIds} && ${removedIds}`)
  await tx.update(exports).set({ leadIds: remainingIds }).where(affected)
}

/** Passes ids as one JSON parameter, as 75 000 would be slow. Characters that PostgreSQL cannot store are replaced. */
export function toSqlArray(ids: readonly string[]): SQL<string[]> {
  const storableIds = ids.map((id) => id.replaceAll('\0', '\ufffd').toWellFormed())
  return sql`array(select json_array_elements_text(${JSON.stringify(storableIds)}::json))`
}
