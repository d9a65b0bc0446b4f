import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { and, asc, desc, eq, gt, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { LeadRef } from '@/lib/contract/lead'
import { LEAD_KINDS, LISTS_BY_KIND } from '@/lib/contract/lists'
import type { FollowedExport } from '@/lib/contract/reading'
import type { Db } from '@/server/db/database'
import { exports } from '@/server/db/schema'
import { purposeOf } from '@/server/export/export-log'
import type { Seal } from '@/server/seal'
import { userNames } from '@/server/users/people'

/** An export holds up to all leads, and PGlite reads them in this very process. */
const EXPORTS_AT_ONCE = 5

/** The exports that held any of these leads, with their purpose, newest first. */
export async function exportsOfLeads(db: Db, seal: Seal, leads: readonly LeadRef[]): Promise<FollowedExport[]> {
  const found = new Map<string, LeadRef[]>()
  for (const kind of LEAD_KINDS) {
    const ids = leads.flatMap((lead) => (lead.kind === kind ? [lead.id] : []))
    if (ids.length === 0) continue
    for await (const { id, held } of heldBy(db, eq(exports.list, LISTS_BY_KIND[kind].list), ids))
      found.set(
        id,
        held.map((leadId) => ({ kind, id: leadId })),
      )
  }
  const followed = await describe(db, seal, inArray(exports.id, [...found.keys()]))
  return followed.map((one) => ({ ...one, leads: found.get(one.id) ?? [] }))
}

async function* heldBy(db: Db, ofList: SQL, ids: readonly string[]) {
  const given = sql`(select array_agg(value) from json_array_elements_text(${JSON.stringify(ids)}::json))`
  const held = sql<string[]>`array(select unnest(${exports.leadIds}) intersect select unnest(${given}))`
  for (let after = ''; ;) {
    const part = await db
      .select({ id: exports.id, held })
      .from(exports)
      .where(and(gt(exports.id, after), ofList))
      .orderBy(asc(exports.id))
      .limit(EXPORTS_AT_ONCE)
    yield* part.filter((one) => one.held.length > 0)
    const last = part.at(-1)
    if (last === undefined || part.length < EXPORTS_AT_ONCE) return
    after = last.id
    await setImmediate()
  }
}

/** What somebody exported within a time, newest first; which leads stands in the export itself. */
export function exportsOfPerson(
  db: Db,
  seal: Seal,
  { userId, from, to }: { userId: string; from: Date; to: Date },
): Promise<FollowedExport[]> {
  return describe(db, seal, and(eq(exports.userId, userId), gte(exports.at, from), lt(exports.at, to)))
}

const MOST_EXPORTS = 500

async function describe(db: Db, seal: Seal, condition: SQL | undefined): Promise<FollowedExport[]> {
  const { id, at, userId, format, count, state, sealedReason } = exports
  const rows = await db
    .select({ id, at, userId, format, count, state, sealedReason })
    .from(exports)
    .where(condition)
    .orderBy(desc(at))
    .limit(MOST_EXPORTS)
  const names = await userNames(
    db,
    rows.flatMap((row) => row.userId ?? []),
  )
  return rows.map(({ sealedReason: sealed, userId: by, ...row }) => ({
    ...row,
    at: row.at.toISOString(),
    user: by === null ? null : { id: by, name: names.get(by) ?? '' },
    purpose: purposeOf({ id: row.id, sealedReason: sealed }, seal),
    leads: [],
  }))
}
