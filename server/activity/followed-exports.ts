import 'server-only'
import { and, desc, eq, gte, inArray, lt, type SQL } from 'drizzle-orm'
import type { LeadRef } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import type { FollowedExport } from '@/lib/contract/reading'
import type { Db } from '@/server/db/database'
import { exports } from '@/server/db/schema'
import { exportsHolding } from '@/server/export/ask-exports'
import { purposeOf } from '@/server/export/export-log'
import type { Seal } from '@/server/seal'
import { userNames } from '@/server/users/people'

/** The exports that held any of these leads, with their purpose, newest first. */
export async function exportsOfLeads(db: Db, seal: Seal, leads: readonly LeadRef[]): Promise<FollowedExport[]> {
  const found = new Map<string, LeadRef[]>()
  for (const kind of LEAD_KINDS) {
    const ids = leads.flatMap((lead) => (lead.kind === kind ? [lead.id] : []))
    if (ids.length === 0) continue
    for (const [id, held] of await exportsHolding(db, kind, ids)) {
      const its = held.map((leadId) => ({ kind, id: leadId }))
      found.set(id, its)
    }
  }
  const followed = await describe(db, seal, inArray(exports.id, [...found.keys()]))
  return followed.map((one) => ({ ...one, leads: found.get(one.id) ?? [] }))
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
