import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { between, sql } from 'drizzle-orm'
import type { LeadRef } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import { executeCommand } from '@/server/access/command'
import type { Decider, Viewer } from '@/server/access/viewer'
import type { Db } from '@/server/base/database'
import { activity } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import { undoAttempt } from './attempts'
import { findSchoolInScope, getLeadTables } from './lead-tables'
import { type LoggedBatch, selectLeadTriage, triageDetailsSchema, writeTriageRows } from './triage-rows'
import { readUndoToken } from './undo-token'
import { LEADS_AT_ONCE, lockTriage } from './write-triage'

/** Undoes a change, an attempt or both, which count as one lead. Throws for a token that `readUndoToken` refuses. */
export async function undoTriage(services: Services, viewer: Decider, { undo }: { undo: string }) {
  const { logged, attempt } = readUndoToken(services, viewer, undo)
  const isAttemptUndone = attempt !== null && (await undoAttempt(services, viewer, attempt.id))
  const attemptAnswer = { restored: isAttemptUndone ? 1 : 0, conflicts: isAttemptUndone ? 0 : 1 }
  if (logged === null) return attemptAnswer
  const tables = await getLeadTables(services, viewer)
  const findSchool = ({ kind, id }: LeadRef) => findSchoolInScope(tables[kind], viewer, id)
  const isInScope = (lead: LeadRef) => findSchool(lead) !== null
  const { restoredLeads, conflictCount } = await restoreLogged(services, viewer, logged, isInScope)
  // If the log no longer has the decision, only the attempt can be undone.
  if (restoredLeads.length + conflictCount === 0) return attemptAnswer
  for (const kind of LEAD_KINDS) {
    const schools = new Set(restoredLeads.flatMap((lead) => (lead.kind === kind ? (findSchool(lead) ?? []) : [])))
    if (schools.size > 0) services.announcer.announceTriage(kind, viewer.id, schools)
  }
  return { restored: restoredLeads.length, conflicts: conflictCount }
}

/** Restores the leads of a batch in one transaction. Those that were changed later stay, and count as conflicts. */
export async function restoreLogged(
  services: Services,
  viewer: Viewer,
  logged: LoggedBatch,
  isInScope: (lead: LeadRef) => boolean,
) {
  return executeCommand(services, viewer, 'leads:triage', async (tx, log) => {
    // The rows and their log entries are written by one statement.
    log.skip()
    await lockTriage(tx, viewer, logged.last > logged.first ? 'many' : 'one')
    const decidedAt = new Date()
    const restoredLeads: LeadRef[] = []
    let conflictCount = 0
    for (let { first } = logged; first <= logged.last; first += LEADS_AT_ONCE) {
      const last = Math.min(logged.last, first + LEADS_AT_ONCE - 1)
      const changes = await findLoggedChanges(tx, viewer.id, { first, last, at: logged.at })
      const undoableChanges = changes.filter((change) => change.revision !== null && isInScope(change))
      conflictCount += changes.length - undoableChanges.length
      for (const kind of LEAD_KINDS) {
        const undoneChanges = undoableChanges.filter((change) => change.kind === kind)
        const write = { userId: viewer.id, kind, decidedAt, action: 'triage-undone', changes: undoneChanges } as const
        const { missedIds } = await writeTriageRows(tx, write)
        for (const { id } of undoneChanges) if (!missedIds.has(id)) restoredLeads.push({ kind, id })
        conflictCount += missedIds.size
      }
      await yieldToEventLoop()
    }
    return { restoredLeads, conflictCount }
  })
}

/** Finds the changes of a batch. `revision` is the triage's, null if it was changed since. */
async function findLoggedChanges(tx: Db, userId: string, { first, last, at }: LoggedBatch) {
  const moment = sql`${at.toISOString()}::timestamptz`
  const current = selectLeadTriage(tx, activity.leadKind, activity.leadId)
  // Later changes do not matter if all are the user's own and each is undone.
  const areLaterUndone = sql`(select bool_and(later.user_id is not distinct from ${userId})
    and (array_agg(later.action = 'triage-changed' order by later.id))[1]
    and sum(case later.action when 'triage-changed' then 1 else -1 end) = 0
    from ${activity} as later where later.lead_kind = ${activity.leadKind} and later.lead_id = ${activity.leadId}
    and later.id > ${activity.id} and later.action in ('triage-changed', 'triage-undone'))`
  const isAsChanged = sql`${current.status} = ${activity.details} ->> 'to'
    and ${current.assigneeId} is not distinct from ${activity.details} ->> 'assignee'
    and ${current.updatedBy} = ${userId} and (${current.updatedAt} = ${moment} or ${areLaterUndone})`
  const entries = tx
    .select({
      kind: activity.leadKind,
      leadId: activity.leadId,
      details: activity.details,
      isOfBatch: sql<boolean>`${activity.userId} = ${userId} and ${activity.action} = 'triage-changed'
        and ${activity.loggedAt} = ${moment}`.as('is_of_batch'),
      revision: sql<number | null>`case when ${isAsChanged} then ${current.revision} end`.as('unchanged_revision'),
    })
    .from(activity)
    .leftJoinLateral(current, sql`true`)
    .where(between(activity.id, first, last))
    .as('entries')
  const { kind, leadId, details, isOfBatch, revision } = entries
  const leads = sql<[string | null, number | null][]>`json_agg(json_build_array(${leadId}, ${revision}))`
  const groups = await tx.select({ kind, details, isOfBatch, leads }).from(entries).groupBy(kind, details, isOfBatch)
  return groups.flatMap((group) => {
    if (!group.isOfBatch || group.kind === null) return []
    const { from, to, assignee, assigneeBefore = assignee, ...snooze } = triageDetailsSchema.parse(group.details)
    const { snoozeUntil = null, snoozeBefore = snoozeUntil } = snooze
    const change = {
      kind: group.kind,
      before: { status: to, assigneeId: assignee, snoozeUntil },
      after: { status: from, assigneeId: assigneeBefore, snoozeUntil: snoozeBefore },
    }
    return group.leads.flatMap(([id, rowRevision]) => (id === null ? [] : [{ ...change, id, revision: rowRevision }]))
  })
}
