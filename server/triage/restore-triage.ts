import 'server-only'
import { and, between, eq, gt, inArray, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { LeadRef } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import type { Db } from '@/server/db/database'
import { activity } from '@/server/db/schema'
import type { Seal } from '@/server/seal'
import { type LoggedBatch, type LogRange, triageDetailsSchema, triageOfLead, writeTriage } from './write-triage'

export const UNDOABLE_MS = 24 * 3_600_000

/** Names a batch by its range in the activity log; sealed, so that only the same user can use it. */
export const undoToken = {
  make: (seal: Seal, userId: string, logged: LoggedBatch | null, attempt: NamedAttempt | null = null) => {
    const batch = logged && `${logged.first}-${logged.last}-${logged.at.getTime()}`
    const tried = attempt && `a${attempt.id}-${attempt.at.getTime()}`
    return seal.encrypt([batch, tried].filter((part) => part !== null).join(' '), placeOf(userId))
  },
  read: (seal: Seal, userId: string, token: string): Named | null => {
    const match = TOKEN.exec(seal.decrypt(token, placeOf(userId)) ?? '')
    if (match === null) return null
    const [, first, last, at, id, triedAt] = match
    return {
      logged: at === undefined ? null : { first: Number(first), last: Number(last), at: new Date(Number(at)) },
      attempt: id === undefined ? null : { id: Number(id), at: new Date(Number(triedAt)) },
    }
  },
}

const TOKEN = /^(?=.)(?:(\d{1,15})-(\d{1,15})-(\d{1,15}))? ?(?:a(\d{1,15})-(\d{1,15}))?$/

type NamedAttempt = { id: number; at: Date }
type Named = { logged: LoggedBatch | null; attempt: NamedAttempt | null }

const placeOf = (userId: string) => `undo ${userId}`

type Restoring = {
  batchAt: Date
  at: Date
  isInReach: (lead: LeadRef) => boolean
}

/** Under the lock of all writers. Later changes stay. */
export async function restorePart(tx: Db, userId: string, batch: Restoring, range: LogRange) {
  const changes = await changesLogged(tx, userId, batch, range)
  const undoable = changes.filter((one) => one.isStill && batch.isInReach(one))
  for (const kind of LEAD_KINDS) {
    const undone = undoable
      .filter((one) => one.kind === kind)
      .map(({ id, details }) => ({ id, ...beforeAndAfter(details) }))
    await writeTriage(tx, { userId, kind, at: batch.at, action: 'triage-undone' }, undone)
  }
  const restored = undoable.map(({ kind, id }): LeadRef => ({ kind, id }))
  return { restored, conflicts: changes.length - restored.length }
}

type LoggedChange = LeadRef & {
  details: z.infer<typeof triageDetailsSchema>
  isStill: boolean
}

/** By the range alone, so that each part costs the same; equal leads are grouped into a row. */
async function changesLogged(tx: Db, userId: string, { batchAt }: Restoring, { first, last }: LogRange) {
  const moment = sql`${batchAt.toISOString()}::timestamptz`
  const currentTriage = triageOfLead(tx, activity.leadKind, activity.leadId)
  const entries = tx
    .select({
      kind: activity.leadKind,
      leadId: activity.leadId,
      details: activity.details,
      isOfBatch: sql<boolean>`${activity.userId} = ${userId} and ${activity.action} = 'triage-changed'
        and ${activity.at} = ${moment}`.as('is_of_batch'),
      isStill: sql<boolean | null>`${currentTriage.status} = ${activity.details} ->> 'to'
        and ${currentTriage.assigneeId} is not distinct from ${activity.details} ->> 'assignee'
        and ${currentTriage.updatedBy} = ${userId}
        and (${currentTriage.updatedAt} = ${moment} or (${isTakenBackSince(tx, userId)}))`.as('is_still'),
    })
    .from(activity)
    .leftJoinLateral(currentTriage, sql`true`)
    .where(between(activity.id, first, last))
    .as('entries')
  const { kind, details, isOfBatch, isStill } = entries
  const alike = await tx
    .select({ kind, details, isOfBatch, isStill, ids: sql<(string | null)[]>`json_agg(${entries.leadId})` })
    .from(entries)
    .groupBy(kind, details, isOfBatch, isStill)
  return alike.flatMap((one) => {
    if (!one.isOfBatch || one.kind === null) return []
    const change = { kind: one.kind, details: triageDetailsSchema.parse(one.details), isStill: one.isStill === true }
    return one.ids.flatMap((id): LoggedChange[] => (id === null ? [] : [{ ...change, id }]))
  })
}

/** Whether all later changes were this user's own, and have been undone again in order. */
function isTakenBackSince(tx: Db, userId: string) {
  const later = alias(activity, 'later')
  const isChange = sql`${later.action} = 'triage-changed'`
  return tx
    .select({
      is: sql`bool_and(${later.userId} is not distinct from ${userId}) and sum(case when ${isChange} then 1 else -1 end) = 0
        and (array_agg(${isChange} order by ${later.id}))[1]`,
    })
    .from(later)
    .where(
      and(
        eq(later.leadKind, activity.leadKind),
        eq(later.leadId, activity.leadId),
        gt(later.id, activity.id),
        inArray(later.action, ['triage-changed', 'triage-undone']),
      ),
    )
    .getSQL()
}

function beforeAndAfter({ from, to, assignee, assigneeBefore = assignee, ...snooze }: LoggedChange['details']) {
  const { snoozeUntil = null, snoozeBefore = snoozeUntil } = snooze
  return {
    before: { status: to, assigneeId: assignee, snoozeUntil },
    after: { status: from, assigneeId: assigneeBefore, snoozeUntil: snoozeBefore },
  }
}
