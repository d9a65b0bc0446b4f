import 'server-only'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { LeadKind, LeadRef, LeadStatus } from '@/lib/contract/lead'
import type { TriageEntry } from '@/lib/leads/triage-of'
import type { Db } from '@/server/db/db'
import { activity, triage } from '@/server/db/schema'

/** What to set; what is absent stays as it is. */
export type NewTriage = { status?: LeadStatus; assigneeId?: string | null }
export type ChangedTriage = LeadRef & { before: TriageEntry | null; after: TriageEntry }

/** PostgreSQL takes 65 535 parameters in a statement; a row has seven. */
const ROWS_AT_ONCE = 5_000

/**
 * Writes the new triage and its place in the activity log in one transaction, and answers what really changed.
 * Writers go one after the other, so that revisions become visible in their order.
 */
export async function changeTriage(
  db: Db,
  userId: string,
  leads: readonly LeadRef[],
  fields: NewTriage,
): Promise<ChangedTriage[]> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('intag.triage'))`)
    const changed: ChangedTriage[] = []
    for (const kind of ['asked-question', 'declaration-of-interest'] as const) {
      const ids = leads.filter((lead) => lead.kind === kind).map((lead) => lead.id)
      for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) {
        changed.push(...(await changeSome(tx, userId, kind, ids.slice(from, from + ROWS_AT_ONCE), fields)))
      }
    }
    return changed
  })
}

async function changeSome(
  tx: Db,
  userId: string,
  kind: LeadKind,
  ids: string[],
  fields: NewTriage,
): Promise<ChangedTriage[]> {
  const rows = await tx
    .select()
    .from(triage)
    .where(and(eq(triage.kind, kind), inArray(triage.leadId, ids)))
  const known = new Map(rows.map((row) => [row.leadId, row]))
  const at = new Date()
  const changed = ids.flatMap((id): ChangedTriage[] => {
    const row = known.get(id)
    const status = fields.status ?? row?.status ?? 'new'
    const assigneeId = fields.assigneeId === undefined ? (row?.assigneeId ?? null) : fields.assigneeId
    if (status === (row?.status ?? 'new') && assigneeId === (row?.assigneeId ?? null)) return []
    const before = row ? { status: row.status, assigneeId: row.assigneeId, updatedAt: row.updatedAt.getTime() } : null
    return [{ kind, id, before, after: { status, assigneeId, updatedAt: at.getTime() } }]
  })
  if (changed.length > 0) await write(tx, userId, changed, at)
  return changed
}

async function write(tx: Db, userId: string, changed: ChangedTriage[], at: Date): Promise<void> {
  await tx
    .insert(triage)
    .values(
      changed.map(({ kind, id, after: { status, assigneeId } }) => ({
        kind,
        leadId: id,
        status,
        assigneeId,
        updatedAt: at,
        updatedBy: userId,
      })),
    )
    .onConflictDoUpdate({
      target: [triage.kind, triage.leadId],
      set: {
        status: sql`excluded.status`,
        assigneeId: sql`excluded.assignee_id`,
        updatedAt: at,
        updatedBy: userId,
        revision: sql`nextval('triage_revision')`,
      },
    })
  await tx.insert(activity).values(
    changed.map(({ kind, id, before, after }) => ({
      at,
      userId,
      action: 'triage-changed',
      leadKind: kind,
      leadId: id,
      details: { from: before?.status ?? 'new', to: after.status, assignee: after.assigneeId },
    })),
  )
}
