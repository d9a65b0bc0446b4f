import 'server-only'
import { and, count, desc, eq, gte, isNotNull, isNull, max, min, type SQL, sql } from 'drizzle-orm'
import type { LeadRef, LeadStatus } from '@/lib/contract/lead'
import type { RecentChange, RecentChangesAnswer } from '@/lib/contract/triage'
import { nameOf } from '@/lib/inbox/lead-text'
import type { Allowed } from '@/server/access/viewer'
import type { Connect, Db } from '@/server/db/database'
import type { Reading } from '@/server/activity/reading'
import { jobs } from '@/server/db/job-schema'
import { activity, attempts, triage } from '@/server/db/schema'
import { type LeadParts, leadTables, schoolInReach } from '@/server/leads/select-leads'
import type { Seal } from '@/server/seal'
import { userNames } from '@/server/users/people'
import { UNDOABLE_MS, undoToken } from './undo-token'
import type { LoggedBatch } from './write-triage'

type Parts = LeadParts & { connect: Connect; seal: Seal; now: () => number; reading: Pick<Reading, 'shown'> }

/**
 * The viewer's own changes of the last 24 hours, each with the token that takes it back. What has been taken back, or
 * changed since, is left out: all entries of one change in the activity log are of one moment, and the triage still says it.
 * So is what is still under way, because only the whole of it can be taken back. An attempt is one with what was decided with it.
 */
export async function recentChanges(parts: Parts, viewer: Allowed<'leads:triage'>): Promise<RecentChangesAnswer> {
  const db = await parts.connect()
  const since = new Date(parts.now() - UNDOABLE_MS)
  const changed = await changesSince(db, viewer.id, since)
  const tried = await attemptsSince(db, viewer.id, since)
  const people = await userNames(
    db,
    changed.flatMap(({ assignee }) => assignee ?? []),
  )
  const named = await leadNames(parts, viewer)
  const token = (logged: LoggedBatch | null, attempt: TriedLead | null) =>
    undoToken.make(parts.seal, viewer.id, logged, attempt)
  const decisions = changed.map((change): RecentChange => {
    const { first, last, at, undoable, leads, status, isReassigned, assignee, isMoved, snoozeUntil } = change
    const attempt = tried.find(({ decision }) => decision === first) ?? null
    return {
      undo: token({ first, last, at }, attempt),
      at: at.toISOString(),
      count: change.count,
      undoable,
      ...(status !== null && { status }),
      ...(isReassigned && { assignee: assignee === null ? null : { id: assignee, name: people.get(assignee) ?? '' } }),
      ...(isMoved && { snoozeUntil }),
      ...(attempt && toldAttempt(attempt)),
      leads: leads.flatMap(named),
    }
  })
  const alone = tried.filter(({ decision }) => !changed.some(({ first }) => first === decision))
  const attemptsAlone = alone.map((attempt): RecentChange => ({
    undo: token(null, attempt),
    at: attempt.at.toISOString(),
    count: 1,
    undoable: 1,
    ...toldAttempt(attempt),
    leads: named(attempt.lead),
  }))
  const all = [...decisions, ...attemptsAlone].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
  return { changes: all.slice(0, MOST) }
}

type TriedLead = Awaited<ReturnType<typeof attemptsSince>>[number]

function toldAttempt({ channel, outcome }: TriedLead): Pick<RecentChange, 'attempt'> {
  return channel === null || outcome === null ? {} : { attempt: { channel, outcome } }
}

/** One's own attempts that can be taken back, each with the log's first entry of what was decided with it. */
async function attemptsSince(db: Db, userId: string, since: Date) {
  const { id, at, kind, leadId, channel, outcome, sentKey } = attempts
  const isLogged = and(
    eq(activity.action, 'attempt-logged'),
    eq(activity.userId, userId),
    sql`(${activity.details} ->> 'attempt')::bigint = ${id}`,
  )
  const rows = await db
    .select({
      id,
      at,
      kind,
      leadId,
      channel,
      outcome,
      decision: sql<string | null>`${activity.details} ->> 'decision'`,
    })
    .from(attempts)
    .innerJoin(activity, isLogged)
    .where(
      and(eq(attempts.userId, userId), gte(at, since), isNotNull(outcome), isNull(sentKey), gte(activity.at, since)),
    )
    .orderBy(desc(at), desc(id))
    .limit(MOST)
  return rows.map(({ kind: its, leadId: leadIs, decision, ...row }) => ({
    ...row,
    lead: { kind: its, id: leadIs },
    decision: decision === null ? null : Number(decision),
  }))
}

/** Tells a lead with what its person is called, as far as it is within reach. */
async function leadNames(parts: LeadParts & Pick<Parts, 'reading'>, viewer: Allowed<'leads:triage'>) {
  const tables = await leadTables(parts, viewer)
  return ({ kind, id }: LeadRef) => {
    const table = tables[kind]
    if (schoolInReach(table, viewer, id) === null) return []
    parts.reading.shown(viewer.id, kind, [id])
    return [{ kind, id, name: nameOf(table.lead(table.rowOf(id))) }]
  }
}

const MOST = 30
const LEADS_TOLD = 3

function changesSince(db: Db, userId: string, since: Date) {
  const { at, id, details, leadKind, leadId } = activity
  const still = sql`${triage.updatedAt} = ${at} and ${triage.updatedBy} = ${activity.userId}`
  const isOtherStatus = sql`${details} ->> 'from' <> ${details} ->> 'to'`
  const leads = sql`json_agg(json_build_object('kind', ${leadKind}, 'id', ${leadId}) order by ${id}) filter (where ${still})`
  const isUnderWay = sql`exists (select from ${jobs} as one where one.user_id = ${userId}
    and (one.cursor ->> 'at')::bigint = extract(epoch from ${at}) * 1000 and one.state = 'running')`
  return db
    .select({
      at,
      first: numberOf(min(id)),
      last: numberOf(max(id)),
      count: count(),
      undoable: numberOf(sql`count(*) filter (where ${still})`),
      status: sql<LeadStatus | null>`max(${details} ->> 'to') filter (where ${isOtherStatus})`,
      isReassigned: sql<boolean>`bool_or(jsonb_exists(${details}, 'assigneeBefore'))`,
      assignee: sql<string | null>`max(${details} ->> 'assignee')`,
      isMoved: sql<boolean>`bool_or(jsonb_exists(${details}, 'snoozeBefore'))`,
      snoozeUntil: sql<string | null>`max(${details} ->> 'snoozeUntil')`,
      leads: sql<LeadRef[]>`jsonb_path_query_array((${leads})::jsonb, ${`$[0 to ${LEADS_TOLD - 1}]`}::jsonpath)`,
    })
    .from(activity)
    .leftJoin(triage, and(eq(triage.kind, leadKind), eq(triage.leadId, leadId)))
    .where(and(eq(activity.userId, userId), eq(activity.action, 'triage-changed'), gte(at, since)))
    .groupBy(at)
    .having(sql`count(*) filter (where ${still}) > 0 and not ${isUnderWay}`)
    .orderBy(desc(at))
    .limit(MOST)
}

const numberOf = (expression: SQL) => sql<number>`${expression}`.mapWith(Number)
