import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { and, asc, eq, gt, gte, inArray, lte, sql } from 'drizzle-orm'
import type { LeadKind } from '@/lib/contract/lead'
import { listOf } from '@/lib/leads/list-of'
import type { Db } from '@/server/db/db'
import { activity, exports } from '@/server/db/schema'

/** An export holds up to all leads, and PGlite reads them in this very process. */
const EXPORTS_AT_ONCE = 5

/** The places in the log of the exports that a lead left in. */
export async function entriesOfExports(db: Db, kind: LeadKind | undefined, leadId: string): Promise<number[]> {
  const places: number[] = []
  for (let after = ''; ;) {
    const part = await db
      .select({ id: exports.id, holds: sql<boolean>`${leadId} = any(${exports.leadIds})` })
      .from(exports)
      .where(and(gt(exports.id, after), kind === undefined ? undefined : eq(exports.list, listOf(kind))))
      .orderBy(asc(exports.id))
      .limit(EXPORTS_AT_ONCE)
    const ids = part.flatMap(({ id, holds }) => (holds ? [id] : []))
    if (ids.length > 0) places.push(...(await entriesOf(db, ids)))
    const last = part.at(-1)
    if (last === undefined || part.length < EXPORTS_AT_ONCE) return places
    after = last.id
    await setImmediate()
  }
}

/** The log is long; the person and the time of an export are where it is found quickly. */
async function entriesOf(db: Db, exportIds: string[]): Promise<number[]> {
  const rows = await db
    .select({ place: activity.id })
    .from(exports)
    .innerJoin(
      activity,
      and(
        eq(activity.userId, exports.userId),
        gte(activity.at, exports.at),
        lte(activity.at, sql`coalesce(${exports.endedAt}, ${exports.at}) + interval '1 minute'`),
        inArray(activity.action, ['export-started', 'export-ended']),
        sql`${activity.details} ->> 'export' = ${exports.id}`,
      ),
    )
    .where(inArray(exports.id, exportIds))
  return rows.map(({ place }) => place)
}
