import { and, type AnyColumn, eq, max, min, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type LeadKind, leadStatusSchema } from '@/lib/contract/lead'
import { getOrCreate } from '@/lib/get-or-create'
import type { TriageEntry } from '@/lib/leads/triage-entry'
import type { Db } from '@/server/base/database'
import { findCallerAddress } from '@/server/base/request-context'
import { activity, triage } from '@/server/base/schema'

export type DecisionFields = Pick<TriageEntry, 'status' | 'assigneeId' | 'snoozeUntil'>

/** A batch of changes is found again by the ids of its first and last log entry, and by its moment. */
export type LoggedBatch = { first: number; last: number; at: Date }

/** `revision` is that of the row as it was read, null if there was none. */
type RowChange = { id: string; revision: number | null; before: DecisionFields | null; after: DecisionFields }

type TriageWrite = {
  userId: string
  kind: LeadKind
  decidedAt: Date
  action: 'triage-changed' | 'triage-undone'
  changes: readonly RowChange[]
}

/**
 * Writes and logs only rows that nobody has changed since they were read, and returns the ids of the others. All rows
 * are one JSON parameter, with equal changes in groups, because a list of values is several times slower. Rows are
 * found by key first, so that the planner cannot join with a table that it still believes to be empty.
 */
export async function writeTriageRows(tx: Db, { userId, kind, decidedAt, action, changes }: TriageWrite) {
  if (changes.length === 0) return { logged: null, missedIds: new Set<string>() }
  const groups = new Map<string, { ids: string[]; revisions: (number | null)[] }>()
  for (const { id, revision, before, after } of changes) {
    const decision = { status: after.status, assignee: after.assigneeId, snooze: after.snoozeUntil ?? null }
    const key = JSON.stringify([before?.status, before?.assigneeId, before?.snoozeUntil, decision])
    const createGroup = () => ({ ids: [], revisions: [], ...decision, details: describeChange(before, after) })
    const group = getOrCreate(groups, key, createGroup)
    group.ids.push(id)
    group.revisions.push(revision)
  }
  const moment = sql`${decidedAt.toISOString()}::timestamptz`
  const wanted = tx.$with('wanted', {}).as(sql`
    select lead.id, lead.revision, status, assignee, snooze, details from
      json_to_recordset(${JSON.stringify([...groups.values()])}::json) as alike(ids text[], revisions bigint[],
        status text, assignee text, snooze text, details jsonb), unnest(ids, revisions) as lead(id, revision)`)
  const changed = tx.$with('changed', {}).as(sql`
    update ${triage} as known set status = wanted.status, assignee_id = wanted.assignee, snooze_until = wanted.snooze,
      updated_at = ${moment}, updated_by = ${userId}, revision = nextval('triage_revision'),
      status_at = case when known.status = wanted.status then known.status_at else ${moment} end
    from wanted cross join lateral (select row.ctid from ${triage} as row
      where row.kind = ${kind} and row.lead_id = wanted.id limit 1) as found
    where known.ctid = found.ctid and known.revision = wanted.revision returning wanted.id`)
  const added = tx.$with('added', {}).as(sql`
    insert into ${triage} (kind, lead_id, status, assignee_id, snooze_until, updated_at, updated_by, status_at)
    select ${kind}, id, status, assignee, snooze, ${moment}, ${userId}, ${moment} from wanted where revision is null
    on conflict do nothing returning lead_id as id`)
  const written = tx.$with('written', {}).as(sql`select id from changed union all select id from added`)
  const missed = tx.$with('missed', {}).as(sql`
    select coalesce(array_agg(id), '{}') as ids from wanted where id not in (select id from written)`)
  const entries = tx.$with('entries', { id: activity.id }).as(sql`
    insert into ${activity} (at, user_id, action, lead_kind, lead_id, details, address)
    select ${moment}, ${userId}, ${action}, ${kind}, id, details, ${findCallerAddress()}::text
    from wanted where id <> all ((select ids from missed)::text[]) returning id`)
  const [row] = await tx
    .with(wanted, changed, added, written, missed, entries)
    .select({ first: min(entries.id), last: max(entries.id), missedIds: sql<string[]>`(select ids from missed)` })
    .from(entries)
  const { first = null, last = null } = row ?? {}
  const logged = first === null || last === null ? null : { first, last, at: decidedAt }
  return { logged, missedIds: new Set(row?.missedIds) }
}

/** The previous assignee and day are stored only if they changed. */
export const triageDetailsSchema = z.object({
  from: leadStatusSchema,
  to: leadStatusSchema,
  assignee: z.string().nullable(),
  assigneeBefore: z.string().nullable().optional(),
  snoozeUntil: z.string().optional(),
  snoozeBefore: z.string().nullable().optional(),
})

/** Describes a change for the log, as `triageDetailsSchema` reads it. */
export function describeChange(before: DecisionFields | null, after: DecisionFields) {
  const { status, assigneeId, snoozeUntil = null } = after
  const assigneeBefore = before?.assigneeId ?? null
  const snoozeBefore = before?.snoozeUntil ?? null
  return {
    from: before?.status ?? 'new',
    to: status,
    assignee: assigneeId,
    ...(assigneeBefore !== assigneeId && { assigneeBefore }),
    ...(snoozeUntil !== null && { snoozeUntil }),
    ...(snoozeBefore !== snoozeUntil && { snoozeBefore }),
  }
}

export type TriageRow = typeof triage.$inferSelect

export async function readTriageRows(tx: Db, kind: LeadKind, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, TriageRow>()
  const wanted = sql`json_array_elements_text(${JSON.stringify(ids)}::json) as wanted(id)`
  const known = selectLeadTriage(tx, sql`${kind}`, sql`wanted.id`)
  const rows = await tx.select().from(wanted).crossJoinLateral(known)
  return new Map(rows.map((row) => [row.known.leadId, row.known]))
}

/** The limit forces a lookup by key; for a new table the planner would otherwise read all rows of a kind. */
export function selectLeadTriage(tx: Db, kind: SQL | AnyColumn, id: SQL | AnyColumn) {
  const isLead = and(eq(triage.kind, kind), eq(triage.leadId, id))
  return tx.select().from(triage).where(isLead).limit(1).as('known')
}
