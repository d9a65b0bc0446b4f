import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { and, between, eq, gt, inArray, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { LeadRef } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import { executeCommand } from '@/server/access/command'
import type { Decider, Viewer } from '@/server/access/viewer'
import type { Db } from '@/server/base/database'
import { ConflictError, InvalidInputError } from '@/server/base/errors'
import { activity } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import { undoAttempt } from './attempts'
import { findSchoolInScope, getLeadTables } from './select-leads'
import { UNDOABLE_MS, undoToken } from './undo-token'
import {
  LEADS_AT_ONCE,
  lockTriage,
  type LoggedBatch,
  selectLeadTriage,
  triageDetailsSchema,
  writeTriageRows,
} from './write-triage'

/** Undoes a change, an attempt or both. Throws InvalidInputError for a foreign token, ConflictError after a day. */
export async function undoTriage(services: Services, viewer: Decider, { undo }: { undo: string }) {
  const undoable = undoToken.read(services.seal, viewer.id, undo)
  if (undoable === null) throw new InvalidInputError('undo')
  const { logged, attempt } = undoable
  const undoneAttempt = attempt && (await undoAttempt(services, viewer, attempt))
  // An attempt and the decision made with it count as one lead.
  if (logged === null) return undoneAttempt ?? { restored: 0, conflicts: 0 }
  const tooOld = () => new ConflictError('This was too long ago to be undone')
  if (logged.at.getTime() < services.now() - UNDOABLE_MS) throw tooOld()
  const tables = await getLeadTables(services, viewer)
  const schoolOf = ({ kind, id }: LeadRef) => findSchoolInScope(tables[kind], viewer, id)
  const { restored, conflicts } = await restoreLogged(services, viewer, logged, (lead) => schoolOf(lead) !== null)
  if (restored.length + conflicts === 0) throw tooOld()
  for (const kind of LEAD_KINDS) {
    const schools = new Set(restored.flatMap((lead) => (lead.kind === kind ? (schoolOf(lead) ?? []) : [])))
    if (schools.size > 0) services.announcer.announceTriage(kind, viewer.id, schools)
  }
  return { restored: restored.length, conflicts }
}

/** Restores leads in one transaction, like the change. Those that were changed later stay and are conflicts. */
export async function restoreLogged(
  services: Services,
  viewer: Viewer,
  logged: LoggedBatch,
  isInScope: (lead: LeadRef) => boolean,
): Promise<{ restored: LeadRef[]; conflicts: number }> {
  return executeCommand(services, viewer, 'leads:triage', async (tx, log) => {
    await lockTriage(tx, viewer, logged.last > logged.first ? 'many' : 'one')
    const decidedAt = new Date()
    const restored: LeadRef[] = []
    let conflicts = 0
    for (let { first } = logged; first <= logged.last; first += LEADS_AT_ONCE) {
      const last = Math.min(logged.last, first + LEADS_AT_ONCE - 1)
      const changes = await findLoggedChanges(tx, viewer.id, { first, last, at: logged.at })
      const undoable = changes.filter((one) => one.revision !== null && isInScope(one))
      conflicts += changes.length - undoable.length
      for (const kind of LEAD_KINDS) {
        const undone = undoable.filter((one) => one.kind === kind)
        const author = { userId: viewer.id, kind, decidedAt, action: 'triage-undone' } as const
        const { missed } = await writeTriageRows(tx, author, undone)
        for (const { id } of undone) if (!missed.has(id)) restored.push({ kind, id })
        conflicts += missed.size
      }
      await setImmediate()
    }
    log.skip()
    return { restored, conflicts }
  })
}

/**
 * Finds the changes of a batch by their range alone, so that each part costs the same; leads with equal changes are
 * grouped into a row. `revision` is that of the row as the change left it, null if it has been changed since.
 */
async function findLoggedChanges(tx: Db, userId: string, { first, last, at }: LoggedBatch) {
  const moment = sql`${at.toISOString()}::timestamptz`
  const currentTriage = selectLeadTriage(tx, activity.leadKind, activity.leadId)
  const later = alias(activity, 'later')
  const isChange = sql`${later.action} = 'triage-changed'`
  // Whether all later changes were the user's own and are undone.
  const areLaterUndone = tx
    .select({
      value: sql`bool_and(${later.userId} is not distinct from ${userId}) and sum(case when ${isChange} then 1 else -1 end) = 0
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
  const entries = tx
    .select({
      kind: activity.leadKind,
      leadId: activity.leadId,
      details: activity.details,
      isOfBatch: sql<boolean>`${activity.userId} = ${userId} and ${activity.action} = 'triage-changed'
        and ${activity.at} = ${moment}`.as('is_of_batch'),
      revision: sql<number | null>`case when ${currentTriage.status} = ${activity.details} ->> 'to'
        and ${currentTriage.assigneeId} is not distinct from ${activity.details} ->> 'assignee'
        and ${currentTriage.updatedBy} = ${userId}
        and (${currentTriage.updatedAt} = ${moment} or (${areLaterUndone})) then ${currentTriage.revision} end`.as(
        'still',
      ),
    })
    .from(activity)
    .leftJoinLateral(currentTriage, sql`true`)
    .where(between(activity.id, first, last))
    .as('entries')
  const { kind, details, isOfBatch } = entries
  const leads = sql<
    [string | null, number | null][]
  >`json_agg(json_build_array(${entries.leadId}, ${entries.revision}))`
  const alike = await tx.select({ kind, details, isOfBatch, leads }).from(entries).groupBy(kind, details, isOfBatch)
  return alike.flatMap((one) => {
    if (!one.isOfBatch || one.kind === null) return []
    const { from, to, assignee, assigneeBefore = assignee, ...snooze } = triageDetailsSchema.parse(one.details)
    const { snoozeUntil = null, snoozeBefore = snoozeUntil } = snooze
    const change = {
      kind: one.kind,
      before: { status: to, assigneeId: assignee, snoozeUntil },
      after: { status: from, assigneeId: assigneeBefore, snoozeUntil: snoozeBefore },
    }
    return one.leads.flatMap(([id, revision]) => (id === null ? [] : [{ ...change, id, revision }]))
  })
}
