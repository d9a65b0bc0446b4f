import 'server-only'
import { and, type AnyColumn, eq, max, min, type SQL, sql } from 'drizzle-orm'
import type { LeadKind } from '@/lib/contract/lead'
import type { TriageEntry } from '@/lib/leads/triage-columns'
import type { Db } from '@/server/db/database'
import { activity, triage } from '@/server/db/schema'

type WriteAs = { userId: string; kind: LeadKind; at: Date; action: 'triage-changed' | 'triage-undone' }
type Change = { id: string; before: TriageEntry | null; after: Pick<TriageEntry, 'status' | 'assigneeId'> }

/** The first and the last id of entries in the activity log. */
export type LogRange = { first: number; last: number }

/**
 * Writes triage and log in one statement, and answers where in the log. One parameter for all rows, as JSON: a list of
 * values takes several times as long.
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
  const given = tx.$with('given', {}).as(sql`
    select * from json_to_recordset(${JSON.stringify(rows)}::json) as each(id text, status text, assignee text, details jsonb)`)
  const written = tx.$with('written', {}).as(sql`
    insert into ${triage} (kind, lead_id, status, assignee_id, updated_at, updated_by)
    select ${kind}, given.id, given.status, given.assignee, ${moment}, ${userId} from given
    on conflict (kind, lead_id) do update set status = excluded.status, assignee_id = excluded.assignee_id,
      updated_at = excluded.updated_at, updated_by = excluded.updated_by, revision = nextval('triage_revision')`)
  const logged = tx.$with('logged', { id: activity.id }).as(sql`
    insert into ${activity} (at, user_id, action, lead_kind, lead_id, details)
    select ${moment}, ${userId}, ${action}, ${kind}, given.id, given.details from given returning id`)
  const [range] = await tx
    .with(given, written, logged)
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
  const known = triageRowOf(tx, sql`${kind}`, sql`given.id`)
  const rows = await tx
    .select(triageFields(known))
    .from(sql`json_array_elements_text(${JSON.stringify(ids)}::json) as given(id)`)
    .crossJoinLateral(known)
  return new Map(rows.map((row) => [row.leadId, row]))
}

/**
 * The row of one lead, to be joined laterally. Its limit makes the database look each up by its key: while it knows nothing
 * about a table that is new, it would rather read all rows of a kind.
 */
export function triageRowOf(tx: Db, kind: SQL | AnyColumn, id: SQL | AnyColumn) {
  return tx
    .select()
    .from(triage)
    .where(and(eq(triage.kind, kind), eq(triage.leadId, id)))
    .limit(1)
    .as('known')
}

export function triageFields({ kind, leadId, status, assigneeId, updatedAt, updatedBy, revision }: KnownRow) {
  return { kind, leadId, status, assigneeId, updatedAt, updatedBy, revision }
}
type KnownRow = ReturnType<typeof triageRowOf>

export function triageEntry({ status, assigneeId, updatedAt }: TriageRow): TriageEntry {
  return { status, assigneeId, updatedAt: updatedAt.getTime() }
}
