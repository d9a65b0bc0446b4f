import 'server-only'
import { and, type AnyColumn, eq, max, min, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type LeadKind, type LeadRef, type LeadStatus, leadStatusSchema } from '@/lib/contract/lead'
import { isClosed, LEAD_KINDS } from '@/lib/contract/lists'
import type { TriageEntry } from '@/lib/leads/triage-columns'
import type { Viewer } from '@/server/access/viewer'
import { callerAddress } from '@/server/activity/request-context'
import type { Db } from '@/server/db/database'
import { activity, triage, type TriageFields } from '@/server/db/schema'

/** `updatedAt` (ms; null: never): only change it if its triage is still from that time. */
export type LeadToChange = LeadRef & { updatedAt?: number | null }

/** The time of all changes made as one, and the newest revision before them. */
export type Start = { at: Date; revision: number }

/** Unique per user: the time tells batches in the log apart. */
export async function startOf(tx: Db, userId: string): Promise<Start> {
  const now = Date.now()
  const lastEntry = sql<number>`(select extract(epoch from max(${activity.at})) * 1000 from ${activity}
    where ${activity.userId} = ${userId} and ${activity.at} >= ${new Date(now).toISOString()}::timestamptz
      and ${activity.at} < ${new Date(now + MAX_CLOCK_SKEW_MS).toISOString()}::timestamptz)`
  const [newest] = await tx
    .select({ revision: max(triage.revision), lastEntry: lastEntry.mapWith(Number) })
    .from(triage)
  const at = newest?.lastEntry ? Math.round(newest.lastEntry) + 1 : now
  return { at: new Date(at), revision: newest?.revision ?? 0 }
}

/** Another instance's clock may be ahead. */
const MAX_CLOCK_SKEW_MS = 1_000

type Changed = LeadRef & { before: TriageEntry | null; after: TriageEntry }
type Conflict = LeadRef & { now: TriageEntry | null }
export type ChangedPart = { changed: Changed[]; conflicts: Conflict[]; range: LogRange | null }

export async function changePart(
  tx: Db,
  userId: string,
  leads: readonly LeadToChange[],
  fields: TriageFields,
  start: Start,
): Promise<ChangedPart> {
  const part: ChangedPart = { changed: [], conflicts: [], range: null }
  for (const kind of LEAD_KINDS) {
    const leadsOfKind = leads.filter((lead) => lead.kind === kind)
    const ids = leadsOfKind.map(({ id }) => id)
    const rows = await triageRows(tx, kind, ids)
    const found = leadsOfKind.map((lead) => changeOf(lead, rows.get(lead.id), fields, start))
    const changed = found.flatMap((one) => one.changed ?? [])
    const range = await writeTriage(tx, { userId, kind, at: start.at, action: 'triage-changed' }, changed)
    if (range) part.range = { first: part.range?.first ?? range.first, last: range.last }
    part.changed = part.changed.concat(changed)
    part.conflicts = part.conflicts.concat(found.flatMap((one) => one.conflict ?? []))
  }
  return part
}

function changeOf(
  { kind, id, updatedAt }: LeadToChange,
  row: TriageRow | undefined,
  fields: TriageFields,
  { at, revision }: Start,
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
  if (isOutdated || (row?.revision ?? 0) > revision)
    return { conflict: { kind, id, now: before && { ...before, updatedById: row?.updatedBy ?? null } } }
  return { changed: { kind, id, before, after: { status, assigneeId, snoozeUntil, updatedAt: at.getTime() } } }
}

/** A closed lead never returns to the list by itself. */
function snoozeAfter(fields: TriageFields, status: LeadStatus, before: TriageEntry | null): string | null {
  if (isClosed(status)) return null
  return fields.snoozeUntil !== undefined ? fields.snoozeUntil : (before?.snoozeUntil ?? null)
}

export async function changeOne(tx: Db, viewer: Viewer, { kind, id }: LeadRef, fields: TriageFields) {
  const start = await startOf(tx, viewer.id)
  const { range } = await changePart(tx, viewer.id, [{ kind, id }], fields, start)
  return range && { ...range, at: start.at }
}

type WriteAs = {
  userId: string
  kind: LeadKind
  at: Date
  action: 'triage-changed' | 'triage-undone'
}
type Change = { id: string; before: Decided | null; after: Decided }
type Decided = Pick<TriageEntry, 'status' | 'assigneeId' | 'snoozeUntil'>

export type LogRange = { first: number; last: number }
export type LoggedBatch = LogRange & { at: Date }

/** All rows as one JSON parameter: a list of values is several times slower. */
export async function writeTriage(tx: Db, { userId, kind, at, action }: WriteAs, changes: Change[]) {
  if (changes.length === 0) return null
  const moment = sql`${at.toISOString()}::timestamptz`
  const given = tx.$with('given', {}).as(sql`
    select id, status, assignee, snooze, details from json_to_recordset(${JSON.stringify(groupEqual(changes))}::json)
      as alike(ids text[], status text, assignee text, snooze text, details jsonb), unnest(ids) as id`)
  const written = tx.$with('written', {}).as(sql`
    insert into ${triage} (kind, lead_id, status, assignee_id, snooze_until, updated_at, updated_by)
    select ${kind}, given.id, given.status, given.assignee, given.snooze, ${moment}, ${userId} from given
    on conflict (kind, lead_id) do update set status = excluded.status, assignee_id = excluded.assignee_id,
      snooze_until = excluded.snooze_until,
      updated_at = excluded.updated_at, updated_by = excluded.updated_by, revision = nextval('triage_revision')`)
  const logged = tx.$with('logged', { id: activity.id }).as(sql`
    insert into ${activity} (at, user_id, action, lead_kind, lead_id, details, address)
    select ${moment}, ${userId}, ${action}, ${kind}, given.id, given.details, ${callerAddress()}::text from given returning id`)
  const [range] = await tx
    .with(given, written, logged)
    .select({ first: min(logged.id), last: max(logged.id) })
    .from(logged)
  return range?.first == null || range.last === null ? null : { first: range.first, last: range.last }
}

type ChangeGroup = {
  ids: string[]
  status: LeadStatus
  assignee: string | null
  snooze: string | null
  details: TriageDetails
}

function groupEqual(changes: readonly Change[]): ChangeGroup[] {
  const groups = new Map<string, ChangeGroup>()
  for (const { id, before, after } of changes) {
    const { status, assigneeId: assignee, snoozeUntil: snooze = null } = after
    const was = [before?.status, before?.assigneeId, before?.snoozeUntil]
    const key = JSON.stringify([...was, status, assignee, snooze])
    const group = groups.get(key) ?? { ids: [], status, assignee, snooze, details: detailsOf(before, after) }
    group.ids.push(id)
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

function detailsOf(before: Change['before'], { status, assigneeId, snoozeUntil = null }: Change['after']) {
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

export async function lockTriage(tx: Db): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('intag.triage'))`)
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

function triageEntry({ status, assigneeId, updatedAt, snoozeUntil }: TriageRow): TriageEntry {
  return { status, assigneeId, updatedAt: updatedAt.getTime(), snoozeUntil }
}
