import { and, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { NewAttempt } from '@/lib/contract/attempts'
import type { LeadRef } from '@/lib/contract/lead'
import { checkLimit, executeCommand } from '@/server/access/command'
import { type Decider, type Replier, requirePermission, type Viewer } from '@/server/access/viewer'
import type { Db } from '@/server/base/database'
import { activity, attempts } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import { hashText } from './hash-text'
import { findSchoolInScope, getLeadTable, requireLead } from './lead-tables'
import { type LoggedBatch, readTriageRows } from './triage-rows'
import { createUndoToken } from './undo-token'
import { applyTriageChange, lockTriage } from './write-triage'

/** The attempts of a lead are limited, because every instance keeps them in memory. */
export const MAX_ATTEMPTS_PER_LEAD = 200

/** Records an attempt and what was decided with it; one undo takes back both. Throws ConflictError above the limit. */
export async function addAttempt(services: Services, viewer: Replier, attempt: NewAttempt) {
  requireDecider(viewer, attempt)
  const { school } = await requireLead(services, viewer, attempt)
  const key = attempt.key === undefined ? undefined : hashAttemptKey(viewer.id, attempt, attempt.key)
  return recordAttempt(services, viewer, { attempt: { ...attempt, key }, school })
}

/** An attempt may come with a decision, which needs a permission of its own. */
export function requireDecider(viewer: Viewer, { status, snoozeUntil }: Partial<NewAttempt>) {
  if (status !== undefined || snoozeUntil !== undefined) requirePermission(viewer, 'leads:triage')
}

/**
 * Records an attempt and its decision in one transaction; the caller has checked permission, scope and protection. A
 * repeated key writes nothing and gets the first answer. The limit does not apply to a sent mail, which `recordMail`
 * records last, and its undo takes back the decision only.
 */
export async function recordAttempt(
  services: Services,
  viewer: Replier,
  { attempt, school, recordMail }: { attempt: NewAttempt; school: string; recordMail?: (tx: Db) => Promise<void> },
) {
  const { kind, id: leadId, channel, outcome, status, snoozeUntil, key } = attempt
  const isMail = recordMail !== undefined
  const attemptedAt = new Date(services.now())
  const lead = { kind, id: leadId }
  const recorded = await executeCommand(services, viewer, 'leads:reply', async (tx, log) => {
    await lockTriage(tx, viewer, 'one')
    const earlierAttempt = key === undefined ? null : await findRecordedAttempt(tx, viewer, lead, key)
    if (earlierAttempt !== null) {
      log.skip()
      return earlierAttempt
    }
    if (!isMail) {
      const isOfLead = and(eq(attempts.kind, kind), eq(attempts.leadId, leadId), isNotNull(attempts.outcome))
      await checkLimit(tx, attempts, isOfLead, MAX_ATTEMPTS_PER_LEAD, 'The lead has too many attempts')
    }
    const row = { kind, leadId, userId: viewer.id, madeAt: attemptedAt, channel, outcome, sentKey: isMail ? key : null }
    const [inserted] = await tx.insert(attempts).values(row).returning({ id: attempts.id })
    if (inserted === undefined) throw new Error('no attempt id')
    const { id } = inserted
    // A lead that stays open is assigned to the user who tried, unless it has an assignee.
    const triage = status === 'in-progress' ? await readTriageRows(tx, kind, [leadId]) : null
    const assigneeId = triage ? (triage.get(leadId)?.assigneeId ?? viewer.id) : undefined
    const { logged } = await applyTriageChange(tx, viewer.id, [lead], { status, assigneeId, snoozeUntil })
    // The attempt's entry names the decision's, so that both are undone as one.
    const decision = logged && { decision: logged.first }
    const details = { attempt: id, channel, outcome, ...(key !== undefined && { key }), ...decision }
    await log({ action: 'attempt-logged', lead, details })
    await recordMail?.(tx)
    return { id, attemptedAt, logged }
  })
  services.announcer.announceTriage(kind, viewer.id, [school])
  return toAttemptAnswer(services, viewer, { ...recorded, channel, outcome, isMail })
}

type RecordedAttempt = { id: number; attemptedAt: Date; logged: LoggedBatch | null }
type AnsweredAttempt = RecordedAttempt & Pick<NewAttempt, 'channel' | 'outcome'> & { isMail: boolean }

/** `undo` is empty if there is nothing to undo. */
function toAttemptAnswer(services: Services, viewer: Viewer, attempt: AnsweredAttempt) {
  const { id, attemptedAt, logged, channel, outcome, isMail } = attempt
  const by = { id: viewer.id, name: viewer.name }
  const undoable = { logged, attempt: isMail ? null : { id, at: attemptedAt } }
  const undo = logged === null && isMail ? '' : createUndoToken(services, viewer, undoable)
  return { attempt: { id: String(id), at: attemptedAt.toISOString(), by, channel, outcome }, undo }
}

/** Repeats the answer that the mail of this key got when it was recorded, or returns null if it never was. */
export async function findSentMail(services: Services, viewer: Viewer, lead: LeadRef, key: string) {
  const recorded = await findRecordedAttempt(await services.connect(), viewer, lead, key)
  return recorded && toAttemptAnswer(services, viewer, { ...recorded, channel: 'email', outcome: 'sent', isMail: true })
}

/** Makes a key unique to user and lead. Only this hash is stored, because a caller may write a name into a key. */
export function hashAttemptKey(viewerId: string, { kind, id }: LeadRef, key: string) {
  return hashText(JSON.stringify([viewerId, kind, id, key]))
}

async function findRecordedAttempt(db: Db, viewer: Viewer, { kind, id }: LeadRef, key: string) {
  const isOwnOnLead = and(eq(activity.userId, viewer.id), eq(activity.leadKind, kind), eq(activity.leadId, id))
  const entries = await db.select().from(activity).where(isOwnOnLead)
  const attempt = entries.find(({ details }) => details?.['key'] === key)
  if (attempt === undefined) return null
  const decision = entries.find((entry) => entry.id === attempt.details?.['decision'])
  const logged = decision ? { first: decision.id, last: decision.id, at: decision.loggedAt } : null
  return { id: Number(attempt.details?.['attempt']), attemptedAt: attempt.loggedAt, logged }
}

/** Takes back an attempt of the viewer on a lead in scope, unless it is a sent mail. Returns whether it did. */
export async function undoAttempt(services: Services, viewer: Decider, id: number) {
  const isUndoable = and(eq(attempts.id, id), eq(attempts.userId, viewer.id), isNull(attempts.sentKey))
  const db = await services.connect()
  const [lead] = await db.select({ kind: attempts.kind, id: attempts.leadId }).from(attempts).where(isUndoable)
  if (lead === undefined) return false
  const school = findSchoolInScope(await getLeadTable(services, viewer, lead.kind), viewer, lead.id)
  if (school === null) return false
  const isUndone = await executeCommand(services, viewer, 'leads:triage', async (tx, log) => {
    await lockTriage(tx, viewer, 'one')
    const clearedCount = await clearAttempts(tx, isUndoable, new Date(services.now()))
    if (clearedCount === 0) log.skip()
    else await log({ action: 'attempt-undone', lead, details: { attempt: id } })
    return clearedCount > 0
  })
  if (isUndone) services.announcer.announceTriage(lead.kind, viewer.id, [school])
  return isUndone
}

/** Clears attempts after `lockTriage`, and returns how many. The rows stay until every instance has read the change. */
export async function clearAttempts(tx: Db, condition: SQL | undefined, now: Date) {
  const revision = sql`nextval('triage_revision')`
  const clearedFields = { userId: null, channel: null, outcome: null, sentKey: null, madeAt: now, revision }
  const filter = and(condition, isNotNull(attempts.outcome))
  return (await tx.update(attempts).set(clearedFields).where(filter).returning({ id: attempts.id })).length
}
