import 'server-only'
import { and, asc, eq, getTableColumns, inArray, isNotNull, or } from 'drizzle-orm'
import type { LeadKind, LeadRef } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import type { Connect, Db } from '@/server/db/database'
import { activity, attempts, exports, leadAbsences, notes, triage } from '@/server/db/schema'
import { exportsHolding } from '@/server/export/ask-exports'

type TriageRow = typeof triage.$inferSelect
type NoteRow = typeof notes.$inferSelect
type ActivityRow = typeof activity.$inferSelect
/** An export, and which of the leads were in it. */
export type ExportRow = Omit<typeof exports.$inferSelect, 'leadIds'> & { ids: readonly string[] }

/** What the database holds of some leads of one kind. Nothing of it is older than the retention period. */
export type KeptData = {
  kind: LeadKind
  triage: TriageRow[]
  attempts: (typeof attempts.$inferSelect)[]
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
      attempts: await db
        .select()
        .from(attempts)
        .where(and(eq(attempts.kind, kind), inArray(attempts.leadId, ids), isNotNull(attempts.outcome)))
        .orderBy(asc(attempts.at), asc(attempts.id)),
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

async function exportsWith(db: Db, kind: LeadKind, ids: readonly string[]): Promise<ExportRow[]> {
  const holding = await exportsHolding(db, kind, ids)
  const { leadIds: _all, ...columns } = getTableColumns(exports)
  const rows = await db
    .select(columns)
    .from(exports)
    .where(inArray(exports.id, [...holding.keys()]))
    .orderBy(asc(exports.at))
  return rows.map((row) => ({ ...row, ids: holding.get(row.id) ?? [] }))
}
