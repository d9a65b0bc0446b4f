import 'server-only'
import type { Services } from '@/server/base/services'
import { setImmediate } from 'node:timers/promises'
import { and, type AnyColumn, between, eq, max, min, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type LeadKind, type LeadRef, type LeadStatus, leadStatusSchema } from '@/lib/contract/lead'
import { isClosed, LEAD_KINDS } from '@/lib/contract/lists'
import type { TriageEntry } from '@/lib/leads/triage-columns'
import { command, lockPerson } from '@/server/access/command'
import type { Viewer } from '@/server/access/viewer'
import { callerAddress } from '@/server/base/request-context'
import { type Db, inParts } from '@/server/base/database'
import { activity, triage, type TriageFields } from '@/server/base/schema'

/** `updatedAt` (ms; null: never): only change it if its triage is still from that time. */
export type LeadToChange = LeadRef & { updatedAt?: number | null }

type Changed = LeadRef & { before: TriageEntry | null; after: TriageEntry }
type Conflict = LeadRef & { now: TriageEntry | null }
export type TriageBatch = { changed: Changed[]; conflicts: Conflict[]; logged: LoggedBatch | null }

/** In one transaction: all of it happens or nothing. Meanwhile other users decide about other leads. */
export async function changeTriage(
  services: Services,
  viewer: Viewer,
  leads: readonly LeadToChange[],
  fields: TriageFields,
): Promise<TriageBatch> {
  return command(services, viewer, 'leads:triage', async (tx, log) => {
    await lockTriage(tx, viewer, leads.length > 1 ? 'many' : 'one')
    const batch = await changeLeads(tx, viewer.id, leads, fields)
    if (batch.logged === null) log.nothing()
    else log.written()
    return batch
  })
}

/** Leads of one statement. Between two of them the process does other work. */
export const LEADS_AT_ONCE = 1_000

/** Within a transaction, after `lockTriage`. */
export async function changeLeads(
  tx: Db,
  userId: string,
  leads: readonly LeadToChange[],
  fields: TriageFields,
): Promise<TriageBatch> {
  const at = await momentOf(tx, userId)
  const batch: TriageBatch = { changed: [], conflicts: [], logged: null }
  for (const kind of LEAD_KINDS) {
    // In the order of the indexes a change of many takes two thirds of the time.
    const ordered = leads.filter((lead) => lead.kind === kind).toSorted((a, b) => (a.id < b.id ? -1 : 1))
    for (const some of inParts(ordered, LEADS_AT_ONCE)) {
      await changeSome(tx, { userId, kind, at, action: 'triage-changed' }, { leads: some, fields }, batch)
      await setImmediate()
    }
  }
  return batch
}

type SomeLeads = { leads: readonly LeadToChange[]; fields: TriageFields }

async function changeSome(tx: Db, as: WriteAs, { leads, fields }: SomeLeads, batch: TriageBatch): Promise<void> {
  const { kind, at } = as
  const rows = await triageRows(
    tx,
    kind,
    leads.map(({ id }) => id),
  )
  const found = leads.map((lead) => changeOf(lead, rows.get(lead.id), fields, at))
  const wanted = found.flatMap((one) => one.changed ?? [])
  const { range, missed } = await writeTriage(
    tx,
    as,
    wanted.map((one) => ({ ...one, revision: rows.get(one.id)?.revision ?? null })),
  )
  if (range) batch.logged = { first: batch.logged?.first ?? range.first, last: range.last, at }
  for (const one of wanted) if (!missed.has(one.id)) batch.changed.push(one)
  for (const { conflict } of found) if (conflict) batch.conflicts.push(conflict)
  const since = await triageRows(tx, kind, [...missed])
  for (const id of missed) batch.conflicts.push({ kind, id, now: entryNow(since.get(id)) })
}

/** The moment of all that one user changes at once; nothing else of theirs has it, so that it names the batch in the log. */
async function momentOf(tx: Db, userId: string): Promise<Date> {
  const now = Date.now()
  const isAhead = between(activity.at, new Date(now), new Date(now + MAX_CLOCK_SKEW_MS))
  const [newest] = await tx
    .select({ at: max(activity.at) })
    .from(activity)
    .where(and(eq(activity.userId, userId), isAhead))
  return newest?.at ? new Date(newest.at.getTime() + 1) : new Date(now)
}

/** Another instance's clock may be ahead. */
const MAX_CLOCK_SKEW_MS = 1_000

function changeOf(
  { kind, id, updatedAt }: LeadToChange,
  row: TriageRow | undefined,
  fields: TriageFields,
  at: Date,
): { changed?: Changed; conflict?: Conflict } {
  const before = row ? triageEntry(row) : null
  const isOutdated = updatedAt !== undefined && updatedAt !== (before?.updatedAt ?? null)
  const status = fields.status ?? before?.status ?? 'new'
  const assigneeId = fields.assigneeId !== undefined ? fields.assigneeId : (before?.assigneeId ?? null)
  const snoozeUntil = snoozeAfter(fields, status, before)
  const isSame =
    status === (before?.status ?? 'new') &&
    assigneeId === (before?.assigneeId ?? null) &&
    snoozeUntil === (before?.snoozeUntil ?? null)
  if (isSame && !isOutdated) return {}
  if (isOutdated) return { conflict: { kind, id, now: entryNow(row) } }
  return { changed: { kind, id, before, after: { status, assigneeId, snoozeUntil, updatedAt: at.getTime() } } }
}

/** A closed lead never returns to the list by itself. */
function snoozeAfter(fields: TriageFields, status: LeadStatus, before: TriageEntry | null): string | null {
  if (isClosed(status)) return null
  return fields.snoozeUntil !== undefined ? fields.snoozeUntil : (before?.snoozeUntil ?? null)
}

export type WriteAs = {
  userId: string
  kind: LeadKind
  at: Date
  action: 'triage-changed' | 'triage-undone'
}
/** `revision`: of the row that was read, null where there was none. */
type Change = { id: string; revision: number | null; before: Decided | null; after: Decided }
type Decided = Pick<TriageEntry, 'status' | 'assigneeId' | 'snoozeUntil'>

export type LogRange = { first: number; last: number }
export type LoggedBatch = LogRange & { at: Date }

/**
 * Writes and logs only rows that nobody has changed since they were read; `missed` are the others. All rows are one JSON
 * parameter: a list of values is several times slower. A row is found by its key first and changed where it lies, so that the
 * planner cannot join with a table that it still believes to be empty. Whoever was faster has given it another revision.
 */
export async function writeTriage(
  tx: Db,
  { userId, kind, at, action }: WriteAs,
  changes: readonly Change[],
): Promise<{ range: LogRange | null; missed: ReadonlySet<string> }> {
  if (changes.length === 0) return { range: null, missed: new Set() }
  const moment = sql`${at.toISOString()}::timestamptz`
  const given = tx.$with('given', {}).as(sql`
    select lead.id, lead.revision, status, assignee, snooze, details from
      json_to_recordset(${JSON.stringify(groupEqual(changes))}::json) as alike(ids text[], revisions bigint[],
        status text, assignee text, snooze text, details jsonb), unnest(ids, revisions) as lead(id, revision)`)
  const changed = tx.$with('changed', {}).as(sql`
    update ${triage} as known set status = given.status, assignee_id = given.assignee, snooze_until = given.snooze,
      updated_at = ${moment}, updated_by = ${userId}, revision = nextval('triage_revision'),
      status_at = case when known.status = given.status then known.status_at else ${moment} end
    from given cross join lateral (select row.ctid from ${triage} as row where row.kind = ${kind} and row.lead_id = given.id limit 1) as found
    where known.ctid = found.ctid and known.revision = given.revision returning given.id`)
  const added = tx.$with('added', {}).as(sql`
    insert into ${triage} (kind, lead_id, status, assignee_id, snooze_until, updated_at, updated_by, status_at)
    select ${kind}, id, status, assignee, snooze, ${moment}, ${userId}, ${moment} from given where revision is null
    on conflict do nothing returning lead_id as id`)
  const written = tx.$with('written', {}).as(sql`select id from changed union all select id from added`)
  const missed = tx.$with('missed', {}).as(sql`
    select coalesce(array_agg(id), '{}') as ids from given where id not in (select id from written)`)
  const logged = tx.$with('logged', { id: activity.id }).as(sql`
    insert into ${activity} (at, user_id, action, lead_kind, lead_id, details, address)
    select ${moment}, ${userId}, ${action}, ${kind}, id, details, ${callerAddress()}::text
    from given where id <> all ((select ids from missed)::text[]) returning id`)
  const [row] = await tx
    .with(given, changed, added, written, missed, logged)
    .select({ first: min(logged.id), last: max(logged.id), missed: sql<string[]>`(select ids from missed)` })
    .from(logged)
  const range = row?.first == null || row.last === null ? null : { first: row.first, last: row.last }
  return { range, missed: new Set(row?.missed) }
}

type ChangeGroup = {
  ids: string[]
  revisions: (number | null)[]
  status: LeadStatus
  assignee: string | null
  snooze: string | null
  details: TriageDetails
}

function groupEqual(changes: readonly Change[]): ChangeGroup[] {
  const groups = new Map<string, ChangeGroup>()
  for (const { id, revision, before, after } of changes) {
    const { status, assigneeId: assignee, snoozeUntil: snooze = null } = after
    const was = [before?.status, before?.assigneeId, before?.snoozeUntil]
    const key = JSON.stringify([...was, status, assignee, snooze])
    const empty = { ids: [], revisions: [], status, assignee, snooze, details: detailsOf(before, after) }
    const group = groups.get(key) ?? empty
    group.ids.push(id)
    group.revisions.push(revision)
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** The previous assignee and day are only stored if they changed. */
export const triageDetailsSchema = z.object({
  from: leadStatusSchema,
  to: leadStatusSchema,
  assignee: z.string().nullable(),
  assigneeBefore: z.string().nullable().optional(),
  snoozeUntil: z.string().optional(),
  snoozeBefore: z.string().nullable().optional(),
})
type TriageDetails = z.infer<typeof triageDetailsSchema>

export function detailsOf(before: Change['before'], { status, assigneeId, snoozeUntil = null }: Change['after']) {
  const assigneeBefore = before?.assigneeId ?? null
  const isReassigned = assigneeBefore !== assigneeId
  const snoozeBefore = before?.snoozeUntil ?? null
  return {
    from: before?.status ?? 'new',
    to: status,
    assignee: assigneeId,
    ...(isReassigned && { assigneeBefore }),
    ...(snoozeUntil !== null && { snoozeUntil }),
    ...(snoozeBefore !== snoozeUntil && { snoozeBefore }),
  }
}

/**
 * First in each transaction that writes triage or attempts. The shared lock tells the boards that revisions are under way
 * (`server/leads/triage-board.ts`). Writers of many leads take turns: two that lock the same rows in another order would
 * wait for each other. So do two changes of one user.
 */
export async function lockTriage(tx: Db, by: Pick<Viewer, 'id'> | null, leads: 'one' | 'many'): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock_shared(hashtext('intag.triage'))`)
  if (leads === 'many') {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('intag.triage.many'))`)
    // Each statement looks its rows up one by one. The planner would read and hash the whole of a table that just grew.
    for (const way of ['hashjoin', 'mergejoin', 'material']) await tx.execute(sql.raw(`set local enable_${way} = off`))
    await tx.execute(sql`set local random_page_cost = 1`)
  }
  if (by !== null) await lockPerson(tx, by)
}

type TriageRow = Omit<typeof triage.$inferSelect, 'kind' | 'statusAt'>

export async function triageRows(tx: Db, kind: LeadKind, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, TriageRow>()
  const known = triageOfLead(tx, sql`${kind}`, sql`given.id`)
  const { leadId, status, assigneeId, updatedAt, updatedBy, snoozeUntil, revision } = known
  const rows: TriageRow[] = await tx
    .select({ leadId, status, assigneeId, updatedAt, updatedBy, snoozeUntil, revision })
    .from(sql`json_array_elements_text(${JSON.stringify(ids)}::json) as given(id)`)
    .crossJoinLateral(known)
  return new Map(rows.map((row) => [row.leadId, row]))
}

/** The limit forces a lookup by key; for a new table the planner would otherwise read all rows of a kind. */
export function triageOfLead(tx: Db, kind: SQL | AnyColumn, id: SQL | AnyColumn) {
  const isLead = and(eq(triage.kind, kind), eq(triage.leadId, id))
  return tx.select().from(triage).where(isLead).limit(1).as('known')
}

function entryNow(row: TriageRow | undefined): TriageEntry | null {
  return row === undefined ? null : { ...triageEntry(row), updatedById: row.updatedBy }
}

function triageEntry({ status, assigneeId, updatedAt, snoozeUntil }: TriageRow): TriageEntry {
  return { status, assigneeId, updatedAt: updatedAt.getTime(), snoozeUntil }
}
