import 'server-only'
import { and, between, eq, gt, inArray, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { LeadRef } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import type { Db } from '@/server/db/database'
import { activity } from '@/server/db/schema'
import { type LogRange, triageDetailsSchema, triageOfLead, writeTriage } from './write-triage'

type Restoring = {
  /** The moment of the batch, and that of the undoing. */
  batchAt: Date
  at: Date
  isInReach: (lead: LeadRef) => boolean
}

/**
 * Within a transaction under the lock of all writers: restores the triage from before each change that the log has in this range
 * of a person's batch, unless it has changed since.
 */
export async function restorePart(
  tx: Db,
  userId: string,
  batch: Restoring,
  range: LogRange,
): Promise<{ restored: LeadRef[]; conflicts: number }> {
  const changes = await changesLogged(tx, userId, batch, range)
  const undoable = changes.filter((one) => one.isStill && batch.isInReach(one))
  for (const kind of LEAD_KINDS) {
    const its = undoable
      .filter((one) => one.kind === kind)
      .map(({ id, details }) => ({ id, ...beforeAndAfter(details) }))
    await writeTriage(tx, { userId, kind, at: batch.at, action: 'triage-undone' }, its)
  }
  const restored = undoable.map(({ kind, id }): LeadRef => ({ kind, id }))
  return { restored, conflicts: changes.length - restored.length }
}

type LoggedChange = LeadRef & {
  details: z.infer<typeof triageDetailsSchema>
  /** Whether the triage is still as this change left it. */
  isStill: boolean
}

/**
 * The changes of the batch in a range of the log. By the range alone, so that each part costs the same however large the
 * batch is: told of person and moment as well, the database may look for those instead. What is alike but for the lead
 * comes as one row: of a change of many that is most of it, and rows cost more than finding them.
 */
async function changesLogged(
  tx: Db,
  userId: string,
  { batchAt }: Restoring,
  { first, last }: LogRange,
): Promise<LoggedChange[]> {
  const moment = sql`${batchAt.toISOString()}::timestamptz`
  const known = triageOfLead(tx, activity.leadKind, activity.leadId)
  const entries = tx
    .select({
      kind: activity.leadKind,
      leadId: activity.leadId,
      details: activity.details,
      isOfBatch: sql<boolean>`${activity.userId} = ${userId} and ${activity.action} = 'triage-changed'
        and ${activity.at} = ${moment}`.as('is_of_batch'),
      isStill: sql<boolean | null>`${known.status} = ${activity.details} ->> 'to'
        and ${known.assigneeId} is not distinct from ${activity.details} ->> 'assignee'
        and ${known.updatedBy} = ${userId}
        and (${known.updatedAt} = ${moment} or (${isTakenBackSince(tx, userId)}))`.as('is_still'),
    })
    .from(activity)
    .leftJoinLateral(known, sql`true`)
    .where(between(activity.id, first, last))
    .as('entries')
  const { kind, details, isOfBatch, isStill } = entries
  const alike = await tx
    .select({ kind, details, isOfBatch, isStill, ids: sql<(string | null)[]>`json_agg(${entries.leadId})` })
    .from(entries)
    .groupBy(kind, details, isOfBatch, isStill)
  return alike.flatMap((one) => {
    if (!one.isOfBatch || one.kind === null) return []
    const its = { kind: one.kind, details: triageDetailsSchema.parse(one.details), isStill: one.isStill === true }
    return one.ids.flatMap((id): LoggedChange[] => (id === null ? [] : [{ ...its, id }]))
  })
}

/**
 * Whether all that became of the entry's lead since was this person's own, and is taken back again: one step after the other
 * leads back to where one began. What was taken back itself begins with its undoing.
 */
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
        inArray(later.action, ['triage-changed', 'triage-undone', 'lead-assigned']),
      ),
    )
    .getSQL()
}

/** What stands there now, as the log says, and what stood there before. */
function beforeAndAfter({ from, to, assignee, assigneeBefore = assignee, ...snooze }: LoggedChange['details']) {
  const { snoozeUntil = null, snoozeBefore = snoozeUntil } = snooze
  return {
    before: { status: to, assigneeId: assignee, snoozeUntil },
    after: { status: from, assigneeId: assigneeBefore, snoozeUntil: snoozeBefore },
  }
}
