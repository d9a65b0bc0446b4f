import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm'
import type { LeadKind } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import type { Db } from '@/server/db/database'
import { exports } from '@/server/db/schema'

/** An export holds up to all leads, and PGlite reads them in this very process. */
const EXPORTS_AT_ONCE = 5

/** Asks every export of one kind of leads, or of both, something about the leads it held; between some and the next others have their turn. */
export async function* askExports<T>(db: Db, kind: LeadKind | undefined, question: SQL<T>) {
  const ofKind = kind === undefined ? undefined : eq(exports.list, LISTS_BY_KIND[kind].list)
  for (let after = ''; ;) {
    const part = await db
      .select({ id: exports.id, answer: question })
      .from(exports)
      .where(and(gt(exports.id, after), ofKind))
      .orderBy(asc(exports.id))
      .limit(EXPORTS_AT_ONCE)
    yield* part
    const last = part.at(-1)
    if (last === undefined || part.length < EXPORTS_AT_ONCE) return
    after = last.id
    await setImmediate()
  }
}

/** Which of these leads each export held; those that held none are left out. */
export async function exportsHolding(
  db: Db,
  kind: LeadKind,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const given = sql`(select array_agg(value) from json_array_elements_text(${JSON.stringify(ids)}::json))`
  const held = sql<string[]>`array(select unnest(${exports.leadIds}) intersect select unnest(${given}))`
  const holding = new Map<string, readonly string[]>()
  for await (const { id, answer } of askExports(db, kind, held)) if (answer.length > 0) holding.set(id, answer)
  return holding
}
