import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { and, between, eq, gt, inArray, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { LeadRef } from '@/lib/contract/lead'
import type { Answer } from '@/lib/contract/endpoints'
import { LEAD_KINDS } from '@/lib/contract/lists'
import { executeCommand } from '@/server/access/command'
import type { Viewer, Decider } from '@/server/access/viewer'
import type { Db } from '@/server/base/database'
import { ConflictError, InvalidInputError } from '@/server/base/errors'
import { activity } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import { undoAttempt } from './attempts'
import { getLeadTables, findSchoolInScope } from './select-leads'
import {
  LEADS_AT_ONCE,
  lockTriage,
  type LoggedBatch,
  triageDetailsSchema,
  selectLeadTriage,
  UNDOABLE_MS,
  undoToken,
  writeTriageRows,
} from './write-triage'

/** Restores leads that nobody changed since. InvalidInputError for a foreign batch, ConflictError after a day. */
export async function undoTriage(
  services: Services,
  viewer: Decider,
  { undo }: { undo: string },
): Promise<Answer<'POST /api/triage/undo'>> {
  const named = undoToken.read(services.seal, viewer.id, undo)
  if (named === null) throw new InvalidInputError('undo')
  const { logged, attempt } = named
  const takenBack = attempt && (await undoAttempt(services, viewer, attempt))
  // The lead counts once, whatever was done with it.
  if (logged === null) return takenBack ?? { restored: 0, conflicts: 0 }
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

/** In one transaction, like the change. Later changes stay. */
export async function restoreLogged(
  services: Services,
  viewer: Viewer,
  logged: LoggedBatch,
  isInReach: (lead: LeadRef) => boolean,
): Promise<{ restored: LeadRef[]; conflicts: number }> {
  return executeCommand(services, viewer, 'leads:triage', async (tx, log) => {
    await lockTriage(tx, viewer, logged.last > logged.first ? 'many' : 'one')
    const at = new Date()
    const restored: LeadRef[] = []
    let conflicts = 0
    for (let { first } = logged; first <= logged.last; first += LEADS_AT_ONCE) {
      const last = Math.min(logged.last, first + LEADS_AT_ONCE - 1)
      const changes = await findLogged(tx, viewer.id, { first, last, at: logged.at })
      const undoable = changes.filter((one) => one.revision !== null && isInReach(one))
      conflicts += changes.length - undoable.length
      for (const kind of LEAD_KINDS) {
        const undone = undoable.filter((one) => one.kind === kind)
        const { missed } = await writeTriageRows(
          tx,
          { userId: viewer.id, kind, decidedAt: at, action: 'triage-undone' },
          undone,
        )
        for (const { id } of undone) if (!missed.has(id)) restored.push({ kind, id })
        conflicts += missed.size
      }
      await setImmediate()
    }
    if (restored.length === 0) log.skip()
    else log.markWritten()
    return { restored, conflicts }
  })
}

/**
 * By the range alone, so that each part costs the same; equal leads are grouped into a row. `revision` is that of the
 * row as the change left it, null where it has been changed since.
 */
async function findLogged(tx: Db, userId: string, { first, last, at }: LoggedBatch) {
  const moment = sql`${at.toISOString()}::timestamptz`
  const currentTriage = selectLeadTriage(tx, activity.leadKind, activity.leadId)
  const later = alias(activity, 'later')
  const isChange = sql`${later.action} = 'triage-changed'`
  // Whether all later changes were this user's own, and have been undone again in order.
  const isTakenBack = tx
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
        and (${currentTriage.updatedAt} = ${moment} or (${isTakenBack})) then ${currentTriage.revision} end`.as(
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
