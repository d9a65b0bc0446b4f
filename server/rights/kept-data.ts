import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { and, asc, eq, gt, inArray, or, sql } from 'drizzle-orm'
import type { LeadKind, LeadRef } from '@/lib/contract/lead'
import { LEAD_KINDS, LISTS_BY_KIND } from '@/lib/contract/lists'
import type { Connect, Db } from '@/server/db/database'
import { activity, exports, leadAbsences, notes, triage } from '@/server/db/schema'

type TriageRow = typeof triage.$inferSelect
type NoteRow = typeof notes.$inferSelect
type ActivityRow = typeof activity.$inferSelect
/** An export, and which of the leads were in it. */
export type ExportRow = Omit<typeof exports.$inferSelect, 'leadIds'> & { ids: string[] }

/** What the database holds of some leads of one kind. Nothing of it is older than the retention period. */
export type KeptData = {
  kind: LeadKind
  triage: TriageRow[]
  notes: NoteRow[]
  activity: ActivityRow[]
  exports: ExportRow[]
  absences: (typeof leadAbsences.$inferSelect)[]
}

/** Everything that is kept of these leads, oldest first. Notes and purposes are still sealed. */
export async function keptAbout(connect: Connect, leads: readonly LeadRef[]): Promise<KeptData[]> {
  const db = await connect()
  const kept: KeptData[] = []
  for (const kind of LEAD_KINDS) {
    const ids = leads.flatMap((lead) => (lead.kind === kind ? [lead.id] : []))
    if (ids.length === 0) continue
    kept.push({
      kind,
      triage: await db
        .select()
        .from(triage)
        .where(and(eq(triage.kind, kind), inArray(triage.leadId, ids))),
      notes: await db
        .select()
        .from(notes)
        .where(and(eq(notes.kind, kind), inArray(notes.leadId, ids)))
        .orderBy(asc(notes.createdAt), asc(notes.id)),
      activity: await db
        .select()
        .from(activity)
        .where(and(eq(activity.leadKind, kind), inArray(activity.leadId, ids)))
        .orderBy(asc(activity.id)),
      exports: await exportsWith(db, kind, ids),
      absences: await db
        .select()
        .from(leadAbsences)
        .where(and(eq(leadAbsences.kind, kind), inArray(leadAbsences.leadId, ids))),
    })
  }
  return kept
}

/** When the contact page was opened by way of any of these leads, which shows all of a contact's. */
export async function contactOpenings(connect: Connect, leads: readonly LeadRef[]): Promise<ActivityRow[]> {
  const db = await connect()
  const isOne = leads.map(({ kind, id }) => and(eq(activity.leadKind, kind), eq(activity.leadId, id)))
  if (isOne.length === 0) return []
  return db
    .select()
    .from(activity)
    .where(and(eq(activity.action, 'contact-opened'), or(...isOne)))
    .orderBy(asc(activity.id))
}

/** An export holds up to all leads, and PGlite reads them in this very process. */
const EXPORTS_AT_ONCE = 5

async function exportsWith(db: Db, kind: LeadKind, ids: readonly string[]): Promise<ExportRow[]> {
  const { id, userId, at, list, format, columns, count, written, state, endedAt, sealedReason, scope } = exports
  const wanted = sql`(select json_array_elements_text(${JSON.stringify(ids)}::json))`
  const its = sql<string[]>`to_json(array(select unnest(${exports.leadIds}) intersect ${wanted}))`
  const found: ExportRow[] = []
  for (let after = ''; ;) {
    const part = await db
      .select({ id, userId, at, list, format, columns, count, written, state, endedAt, sealedReason, scope, ids: its })
      .from(exports)
      .where(and(gt(id, after), eq(list, LISTS_BY_KIND[kind].list)))
      .orderBy(asc(id))
      .limit(EXPORTS_AT_ONCE)
    found.push(...part.filter((row) => row.ids.length > 0))
    const last = part.at(-1)
    if (last === undefined || part.length < EXPORTS_AT_ONCE) break
    after = last.id
    await setImmediate()
  }
  return found.toSorted((a, b) => a.at.getTime() - b.at.getTime())
}
