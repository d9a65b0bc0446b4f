import { setImmediate } from 'node:timers/promises'
import { and, type AnyColumn, between, eq, max, min, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type LeadKind, type LeadRef, leadStatusSchema } from '@/lib/contract/lead'
import { isClosed, LEAD_KINDS } from '@/lib/contract/lists'
import type { TriageEntry } from '@/lib/leads/triage-columns'
import { executeCommand, lockUser } from '@/server/access/command'
import type { Viewer } from '@/server/access/viewer'
import { type Db, toChunks } from '@/server/base/database'
import { findCallerAddress } from '@/server/base/request-context'
import { activity, triage } from '@/server/base/schema'
import type { Services } from '@/server/base/services'

/** A change after `updatedAt` (ms; null if never changed) is a conflict, unless it is the same user's in another tab. */
export type LeadToChange = LeadRef & { updatedAt?: number | null | undefined }

type DecisionFields = Pick<TriageEntry, 'status' | 'assigneeId' | 'snoozeUntil'>
/** Undefined fields stay as they are. */
type TriageFields = { [Name in keyof DecisionFields]?: DecisionFields[Name] | undefined }

/** A batch is named by the ids of its first and last log entry, and by its moment. */
export type LoggedBatch = { first: number; last: number; at: Date }

type ChangedTriage = LeadRef & { before: TriageEntry | null; after: TriageEntry }
export type TriageBatch = {
  changed: ChangedTriage[]
  conflicts: (LeadRef & { now: TriageEntry | null })[]
  logged: LoggedBatch | null
}

/** Changes leads in one transaction, all or none. Other users can change other leads meanwhile. */
export async function commitTriageChange(
  services: Services,
  viewer: Viewer,
  leads: readonly LeadToChange[],
  fields: TriageFields,
) {
  return executeCommand(services, viewer, 'leads:triage', async (tx, log) => {
    await lockTriage(tx, viewer, leads.length > 1 ? 'many' : 'one')
    const batch = await applyTriageChange(tx, viewer.id, leads, fields)
    log.skip()
    return batch
  })
}

/** Limits the leads of one statement, so that other requests are served between two. */
export const LEADS_AT_ONCE = 1_000

/** The clock of another instance may be ahead by this much. */
const MAX_CLOCK_SKEW_MS = 1_000

/** Changes leads within a transaction, after `lockTriage`. */
export async function applyTriageChange(tx: Db, userId: string, leads: readonly LeadToChange[], fields: TriageFields) {
  const now = Date.now()
  const from = new Date(now)
  const newest = between(activity.loggedAt, from, new Date(now + MAX_CLOCK_SKEW_MS))
  const [last] = await tx
    .select({ at: max(activity.loggedAt) })
    .from(activity)
    .where(and(eq(activity.userId, userId), newest))
  // No other log entry of this user has this moment, so that it identifies the batch.
  const decidedAt = last?.at ? new Date(last.at.getTime() + 1) : from
  const batch: TriageBatch = { changed: [], conflicts: [], logged: null }
  for (const kind of LEAD_KINDS) {
    // Sorted like the index, a change of many leads takes two thirds of the time.
    const ordered = leads.filter((lead) => lead.kind === kind).toSorted((a, b) => (a.id < b.id ? -1 : 1))
    for (const chunk of toChunks(ordered, LEADS_AT_ONCE)) {
      const ids = chunk.map(({ id }) => id)
      const rows = await readTriageRows(tx, kind, ids)
      const changes: (ChangedTriage & { revision: number | null })[] = []
      for (const { id, updatedAt } of chunk) {
        const row = rows.get(id)
        const before = toEntry(row)
        const after = { ...applyFields(before, fields), updatedAt: decidedAt.getTime() }
        const { status, assigneeId, snoozeUntil } = applyFields(before, {})
        const isByOther = row !== undefined && row.updatedBy !== userId
        if (updatedAt !== undefined && isByOther && updatedAt !== before?.updatedAt)
          batch.conflicts.push({ kind, id, now: before })
        else if (status !== after.status || assigneeId !== after.assigneeId || snoozeUntil !== after.snoozeUntil)
          changes.push({ kind, id, before, after, revision: row?.revision ?? null })
      }
      const author = { userId, kind, decidedAt, action: 'triage-changed' } as const
      const { logged, missed } = await writeTriageRows(tx, author, changes)
      if (logged) batch.logged = { ...logged, first: batch.logged?.first ?? logged.first }
      for (const { revision: _, ...change } of changes) if (!missed.has(change.id)) batch.changed.push(change)
      const since = await readTriageRows(tx, kind, [...missed])
      for (const id of missed) batch.conflicts.push({ kind, id, now: toEntry(since.get(id)) })
      await setImmediate()
    }
  }
  return batch
}

function applyFields(before: TriageEntry | null, fields: TriageFields) {
  const { status = before?.status ?? 'new', assigneeId = before?.assigneeId ?? null } = fields
  const { snoozeUntil = before?.snoozeUntil ?? null } = fields
  // A closed lead never returns to the list by itself.
  return { status, assigneeId, snoozeUntil: isClosed(status) ? null : snoozeUntil }
}

/** `revision` is that of the row as it was read, null if there was none. */
type Change = { id: string; revision: number | null; before: DecisionFields | null; after: DecisionFields }

/**
 * Writes and logs only rows that no other user has changed since they were read; the others are `missed`. All rows are
 * one JSON parameter, with equal changes in groups: a list of values is several times slower. A row is found by its key
 * first and changed in its place, so that the planner cannot join with a table that it still believes to be empty.
 */
export async function writeTriageRows(
  tx: Db,
  author: { userId: string; kind: LeadKind; decidedAt: Date; action: 'triage-changed' | 'triage-undone' },
  changes: readonly Change[],
) {
  if (changes.length === 0) return { logged: null, missed: new Set<string>() }
  const { userId, kind, decidedAt, action } = author
  const groups = new Map<string, { ids: string[]; revisions: (number | null)[] }>()
  for (const { id, revision, before, after } of changes) {
    const { status, assigneeId: assignee, snoozeUntil: snooze = null } = after
    const key = JSON.stringify([before?.status, before?.assigneeId, before?.snoozeUntil, status, assignee, snooze])
    const created = { ids: [], revisions: [], status, assignee, snooze, details: describeChange(before, after) }
    const group = groups.get(key) ?? created
    group.ids.push(id)
    group.revisions.push(revision)
    groups.set(key, group)
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
    from wanted cross join lateral (select row.ctid from ${triage} as row where row.kind = ${kind} and row.lead_id = wanted.id limit 1) as found
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
    .select({ first: min(entries.id), last: max(entries.id), missed: sql<string[]>`(select ids from missed)` })
    .from(entries)
  const { first = null, last = null } = row ?? {}
  const logged = first === null || last === null ? null : { first, last, at: decidedAt }
  return { logged, missed: new Set(row?.missed) }
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

/**
 * Comes first in each transaction that writes triage or attempts: the shared lock tells readers that revisions are under
 * way. Writers of many leads take turns, because two that lock the same rows in another order would wait for each other.
 * Two changes of one user take turns, too.
 */
export async function lockTriage(tx: Db, user: Pick<Viewer, 'id'> | null, leads: 'one' | 'many') {
  await tx.execute(sql`select pg_advisory_xact_lock_shared(hashtext('intag.triage'))`)
  if (leads === 'many') {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('intag.triage.many'))`)
    // Each statement looks its rows up one by one. The planner would read and hash the whole of a table that just grew.
    for (const join of ['hashjoin', 'mergejoin', 'material'])
      await tx.execute(sql.raw(`set local enable_${join} = off`))
    await tx.execute(sql`set local random_page_cost = 1`)
  }
  if (user !== null) await lockUser(tx, user)
}

type TriageRow = typeof triage.$inferSelect

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

function toEntry(row: TriageRow | undefined): TriageEntry | null {
  if (row === undefined) return null
  const { status, assigneeId, updatedAt, updatedBy: updatedById, snoozeUntil } = row
  return { status, assigneeId, updatedAt: updatedAt.getTime(), updatedById, snoozeUntil }
}
