import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { and, between, eq, gt, inArray, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { LeadRef } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import { command, type CommandParts } from '@/server/access/command'
import type { Viewer } from '@/server/access/viewer'
import type { Db } from '@/server/db/database'
import { activity } from '@/server/db/schema'
import { advanceBatch, type HeldBatch } from './batches'
import { createPartSize } from './part-size'
import type { LoggedBatch } from './undo-token'
import { lockTriage, type LogRange, triageDetailsSchema, triageOfLead, writeTriage } from './write-triage'

type BatchToRestore = LoggedBatch & {
  /** Older changes stay. */
  since: Date
  isInReach: (lead: LeadRef) => boolean
  /** Where a process that ends it later finds how far it has come. */
  held?: HeldBatch | null
}

/**
 * Restores the triage from before each change of the viewer's batch, unless it has changed since. Part by part, each a
 * command of its own; what fails in the middle can be called again, and continues where it stopped.
 */
export async function restoreBatch(
  parts: CommandParts,
  viewer: Viewer,
  batch: BatchToRestore,
): Promise<{ restored: LeadRef[]; conflicts: number }> {
  const at = new Date()
  const restored: LeadRef[] = []
  const size = createPartSize()
  let total = 0
  let last = batch.first - 1
  while (last < batch.last) {
    const range = { first: last + 1, last: Math.min(batch.last, last + size.next()) }
    const undo = () => restorePart(parts, viewer, batch, { ...range, at })
    const part = await size.timed(range.last - last, undo)
    last = range.last
    total += part.total
    restored.push(...part.restored)
    await setImmediate()
  }
  return { restored, conflicts: total - restored.length }
}

function restorePart(parts: CommandParts, viewer: Viewer, batch: BatchToRestore, { at, ...range }: LoggedBatch) {
  return command(parts, viewer, 'leads:triage', async (tx, log) => {
    await lockTriage(tx)
    const changes = await changesLogged(tx, viewer.id, batch, range)
    const undoable = changes.filter((one) => one.isStill && batch.isInReach(one))
    await restore(tx, viewer.id, at, undoable)
    if (batch.held) await advanceBatch(tx, batch.held, { undoneLog: range.last })
    if (undoable.length > 0) log.written()
    else log.nothing()
    return { total: changes.length, restored: undoable.map(({ kind, id }): LeadRef => ({ kind, id })) }
  })
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
  { at, since }: BatchToRestore,
  { first, last }: LogRange,
): Promise<LoggedChange[]> {
  const moment = sql`${at.toISOString()}::timestamptz`
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
  if (at < since) return []
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

async function restore(tx: Db, userId: string, at: Date, undoable: readonly LoggedChange[]): Promise<void> {
  for (const kind of LEAD_KINDS) {
    const changes = undoable
      .filter((one) => one.kind === kind)
      .map(({ id, details }) => ({ id, ...beforeAndAfter(details) }))
    await writeTriage(tx, { userId, kind, at, action: 'triage-undone' }, changes)
  }
}
