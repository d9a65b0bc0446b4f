import 'server-only'
import { and, count, desc, eq, gte, isNotNull, isNull, max, min, type SQL, sql } from 'drizzle-orm'
import type { LeadRef, LeadStatus } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import type { RecentChange, UndoAnswer } from '@/lib/contract/triage'
import { nameOf } from '@/lib/inbox/lead-text'
import type { Viewer, Decider } from '@/server/access/viewer'
import type { Db } from '@/server/db/database'
import { activity, attempts, triage } from '@/server/db/schema'
import { ConflictError, InvalidInputError } from '@/server/errors'
import { type LeadParts, leadTables, schoolInReach } from '@/server/leads/select-leads'
import { userNames } from '@/server/users/users'
import type { Services } from '@/server/services'
import { type AttemptParts, undoAttempt } from './attempts'
import { restoreLogged, UNDOABLE_MS, undoToken } from './restore-triage'
import type { LoggedBatch } from './write-triage'

/** Restores leads that nobody changed since. InvalidInputError for a foreign batch, ConflictError after a day. */
export async function undoTriage(parts: AttemptParts, viewer: Decider, { undo }: { undo: string }) {
  const leadsOf = undoToken.read(parts.seal, viewer.id, undo)
  if (leadsOf === null) throw new InvalidInputError('undo')
  const { logged, attempt } = leadsOf
  const takenBack = attempt && (await undoAttempt(parts, viewer, attempt))
  if (logged === null) return takenBack ?? { restored: 0, conflicts: 0 }
  // The lead counts once, whatever was done with it.
  return undoBatch(parts, viewer, logged)
}

async function undoBatch(parts: AttemptParts, viewer: Viewer, logged: LoggedBatch): Promise<UndoAnswer> {
  const tooOld = () => new ConflictError('This was too long ago to be undone')
  if (logged.at.getTime() < parts.now() - UNDOABLE_MS) throw tooOld()
  const tables = await leadTables(parts, viewer)
  const schoolOf = ({ kind, id }: LeadRef) => schoolInReach(tables[kind], viewer, id)
  const { restored, conflicts } = await restoreLogged(parts, viewer, logged, (lead) => schoolOf(lead) !== null)
  if (restored.length + conflicts === 0) throw tooOld()
  for (const kind of LEAD_KINDS) {
    const schools = new Set(restored.flatMap((lead) => (lead.kind === kind ? (schoolOf(lead) ?? []) : [])))
    if (schools.size > 0) parts.announcer.triage(kind, viewer.id, schools)
  }
  return { restored: restored.length, conflicts }
}

type Parts = LeadParts & Pick<Services, 'connect' | 'seal' | 'now' | 'reading'>

/** Without those undone or changed since. */
export async function recentChanges(parts: Parts, viewer: Decider) {
  const db = await parts.connect()
  const since = new Date(parts.now() - UNDOABLE_MS)
  const changed = await changesSince(db, viewer.id, since)
  const tried = await attemptsSince(db, viewer.id, since)
  const assignees = changed.map(({ assignee }) => assignee)
  const people = await userNames(db, assignees)
  const named = await leadNames(parts, viewer)
  const describe = (at: Date, logged: LoggedBatch | null, attempt: RecentAttempt | null) => ({
    undo: undoToken.make(parts.seal, viewer.id, logged, attempt),
    at: at.toISOString(),
    ...(attempt && { attempt: { channel: attempt.channel, outcome: attempt.outcome } }),
  })
  const decisions = changed.map((change): RecentChange => {
    const { at, undoable, leads, status, isReassigned, isShared, assignee, isMoved, snoozeUntil } = change
    const attempt = tried.find(({ decision }) => decision === change.first) ?? null
    return {
      ...describe(at, change, attempt),
      count: change.count,
      undoable,
      ...(status !== null && { status }),
      ...(isReassigned &&
        !isShared && { assignee: assignee === null ? null : { id: assignee, name: people.get(assignee) ?? '' } }),
      ...(isMoved && { snoozeUntil }),
      leads: leads.flatMap(named),
    }
  })
  const attemptsOnly = tried.filter(({ decision }) => !changed.some(({ first }) => first === decision))
  const attemptsAlone = attemptsOnly.map((attempt): RecentChange => {
    return { ...describe(attempt.at, null, attempt), count: 1, undoable: 1, leads: named(attempt.lead) }
  })
  const all = [...decisions, ...attemptsAlone].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
  return { changes: all.slice(0, MAX_STEPS) }
}

type RecentAttempt = Awaited<ReturnType<typeof attemptsSince>>[number]

async function attemptsSince(db: Db, userId: string, since: Date) {
  const { id, at, kind, leadId, channel, outcome, sentKey } = attempts
  const isLogged = and(
    eq(activity.action, 'attempt-logged'),
    eq(activity.userId, userId),
    sql`(${activity.details} ->> 'attempt')::bigint = ${id}`,
  )
  const isMine = and(eq(attempts.userId, userId), isNotNull(outcome), isNull(sentKey))
  const decision = sql<string | null>`${activity.details} ->> 'decision'`
  const rows = await db
    .select({ id, at, kind, leadId, channel, outcome, decision })
    .from(attempts)
    .innerJoin(activity, isLogged)
    .where(and(isMine, gte(at, since), gte(activity.at, since)))
    .orderBy(desc(at), desc(id))
    .limit(MAX_STEPS)
  return rows.flatMap((row) => {
    if (row.channel === null || row.outcome === null) return []
    const lead = { kind: row.kind, id: row.leadId }
    const decided = row.decision === null ? null : Number(row.decision)
    return [{ ...row, channel: row.channel, outcome: row.outcome, lead, decision: decided }]
  })
}

async function leadNames(parts: LeadParts & Pick<Parts, 'reading'>, viewer: Decider) {
  const tables = await leadTables(parts, viewer)
  return ({ kind, id }: LeadRef) => {
    const table = tables[kind]
    if (schoolInReach(table, viewer, id) === null) return []
    parts.reading.countListed(viewer.id, kind, [id])
    return [{ kind, id, name: nameOf(table.lead(table.rowOf(id))) }]
  }
}

const MAX_STEPS = 30
const LEADS_NAMED = 3

function changesSince(db: Db, userId: string, since: Date) {
  const { at, id, details, leadKind, leadId } = activity
  const still = sql`${triage.updatedAt} = ${at} and ${triage.updatedBy} = ${activity.userId}`
  const isOtherStatus = sql`${details} ->> 'from' <> ${details} ->> 'to'`
  const leads = sql`json_agg(json_build_object('kind', ${leadKind}, 'id', ${leadId}) order by ${id}) filter (where ${still})`
  return db
    .select({
      at,
      first: numberOf(min(id)),
      last: numberOf(max(id)),
      count: count(),
      undoable: numberOf(sql`count(*) filter (where ${still})`),
      status: sql<LeadStatus | null>`max(${details} ->> 'to') filter (where ${isOtherStatus})`,
      isReassigned: sql<boolean>`bool_or(jsonb_exists(${details}, 'assigneeBefore'))`,
      isShared: sql<boolean>`count(distinct ${details} ->> 'assignee') > 1`,
      assignee: sql<string | null>`max(${details} ->> 'assignee')`,
      isMoved: sql<boolean>`bool_or(jsonb_exists(${details}, 'snoozeBefore'))`,
      snoozeUntil: sql<string | null>`max(${details} ->> 'snoozeUntil')`,
      leads: sql<LeadRef[]>`jsonb_path_query_array((${leads})::jsonb, ${`$[0 to ${LEADS_NAMED - 1}]`}::jsonpath)`,
    })
    .from(activity)
    .leftJoin(triage, and(eq(triage.kind, leadKind), eq(triage.leadId, leadId)))
    .where(and(eq(activity.userId, userId), eq(activity.action, 'triage-changed'), gte(at, since)))
    .groupBy(at)
    .having(sql`count(*) filter (where ${still}) > 0`)
    .orderBy(desc(at))
    .limit(MAX_STEPS)
}

const numberOf = (expression: SQL) => sql<number>`${expression}`.mapWith(Number)
