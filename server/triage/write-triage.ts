import 'server-only'
import { and, eq, inArray, max, min, sql } from 'drizzle-orm'
import type { LeadKind } from '@/lib/contract/lead'
import type { TriageEntry } from '@/lib/leads/triage-columns'
import type { Db } from '@/server/db/database'
import { activity, triage } from '@/server/db/schema'

type WriteAs = { userId: string; kind: LeadKind; at: Date; action: 'triage-changed' | 'triage-undone' }
type Change = { id: string; before: TriageEntry | null; after: Pick<TriageEntry, 'status' | 'assigneeId'> }

/** The first and the last id of entries in the activity log. */
export type LogRange = { first: number; last: number }

/**
 * Writes triage and log, and answers where in the log. One parameter for all rows, as JSON: a list of values takes several
 * times as long.
 */
export async function writeTriage(
  tx: Db,
  { userId, kind, at, action }: WriteAs,
  changes: Change[],
): Promise<LogRange | null> {
  if (changes.length === 0) return null
  const rows = changes.map(({ id, before, after }) => ({
    id,
    status: after.status,
    assignee: after.assigneeId,
    details: detailsOf(before, after),
  }))
  const moment = sql`${at.toISOString()}::timestamptz`
  const given = sql`json_to_recordset(${JSON.stringify(rows)}::json) as given(id text, status text, assignee text, details jsonb)`
  await tx.execute(sql`
    insert into ${triage} (kind, lead_id, status, assignee_id, updated_at, updated_by)
    select ${kind}, given.id, given.status, given.assignee, ${moment}, ${userId} from ${given}
    on conflict (kind, lead_id) do update set status = excluded.status, assignee_id = excluded.assignee_id,
      updated_at = excluded.updated_at, updated_by = excluded.updated_by, revision = nextval('triage_revision')`)
  const logged = tx.$with('logged', { id: activity.id }).as(sql`
    insert into ${activity} (at, user_id, action, lead_kind, lead_id, details)
    select ${moment}, ${userId}, ${action}, ${kind}, given.id, given.details from ${given} returning id`)
  const [range] = await tx
    .with(logged)
    .select({ first: min(logged.id), last: max(logged.id) })
    .from(logged)
  return range?.first == null || range.last === null ? null : { first: range.first, last: range.last }
}

/** `assigneeBefore` only where it was another: most changes are of the status alone. */
function detailsOf(before: TriageEntry | null, { status, assigneeId }: Change['after']) {
  const assigneeBefore = before?.assigneeId ?? null
  const isReassigned = assigneeBefore !== assigneeId
  return { from: before?.status ?? 'new', to: status, assignee: assigneeId, ...(isReassigned && { assigneeBefore }) }
}

/** Takes the lock of all writers of triage; it is held until the transaction ends. */
export async function lockTriage(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('intag.triage'))`)
}

export type TriageRow = typeof triage.$inferSelect

/** The rows of these leads as they are now, by id; a lead that nobody ever touched has none. */
export async function triageRows(
  tx: Db,
  kind: LeadKind,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TriageRow>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .select()
    .from(triage)
    .where(and(eq(triage.kind, kind), inArray(triage.leadId, [...ids])))
  return new Map(rows.map((row) => [row.leadId, row]))
}

export function triageEntry({ status, assigneeId, updatedAt }: TriageRow): TriageEntry {
  return { status, assigneeId, updatedAt: updatedAt.getTime() }
}
