import 'server-only'
import { createHash } from 'node:crypto'
import { and, eq, gt, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { NewAttempt } from '@/lib/contract/attempts'
import type { Answer } from '@/lib/contract/endpoints'
import type { LeadRef } from '@/lib/contract/lead'
import { executeCommand } from '@/server/access/command'
import { type Decider, type Replier, requirePermission, type Viewer } from '@/server/access/viewer'
import type { Db } from '@/server/base/database'
import { ConflictError } from '@/server/base/errors'
import { activity, attempts } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import { checkFollowUpDay } from './change-triage'
import { findSchoolInScope, getLeadTable, requireLeadSchool } from './select-leads'
import { UNDOABLE_MS, undoToken } from './undo-token'
import { applyTriageChange, lockTriage, type LoggedBatch, readTriageRows } from './write-triage'

/** Limits the attempts that every instance keeps in memory. */
export const MAX_ATTEMPTS_PER_LEAD = 200
const MAX_ATTEMPTS_PER_DAY = 1_000
const DAY_MS = 24 * 3_600_000

/** Records an attempt and what was decided with it; one undo takes back both. Throws ConflictError above the limits. */
export async function addAttempt(services: Services, viewer: Replier, attempt: NewAttempt) {
  checkFollowUpDay(services, attempt.snoozeUntil)
  const school = await requireLeadSchool(services, viewer, attempt)
  const key = attempt.key === undefined ? undefined : hashAttemptKey(viewer.id, attempt, attempt.key)
  return recordAttempt(services, viewer, school, { ...attempt, key })
}

/**
 * Records an attempt and the decision made with it, in one transaction in which `alsoWrite` runs last. The caller has
 * checked scope and protection. A repeated key writes nothing and gets the first answer. The undo of a mail takes back
 * the decision only.
 */
export async function recordAttempt(
  services: Services,
  viewer: Replier,
  school: string,
  attempt: NewAttempt & { isMail?: boolean },
  alsoWrite: (tx: Db) => Promise<void> = async () => {},
): Promise<Answer<'POST /api/attempts'>> {
  const { kind, id: leadId, channel, outcome, status, snoozeUntil, key, isMail = false } = attempt
  const attemptedAt = new Date(services.now())
  const lead = { kind, id: leadId }
  const isDecided = status !== undefined || snoozeUntil !== undefined
  if (isDecided) requirePermission(viewer, 'leads:triage')
  const recorded = await executeCommand(services, viewer, 'leads:reply', async (tx, log) => {
    await lockTriage(tx, viewer, 'one')
    const repeated = key !== undefined && (await findRecordedAttempt(tx, viewer, lead, key))
    if (repeated) {
      log.skip()
      return repeated
    }
    if (!isMail) {
      const onLead = and(eq(attempts.kind, kind), eq(attempts.leadId, leadId), isNotNull(attempts.outcome))
      const today = and(eq(attempts.userId, viewer.id), gt(attempts.at, new Date(attemptedAt.getTime() - DAY_MS)))
      if ((await tx.$count(attempts, onLead)) >= MAX_ATTEMPTS_PER_LEAD)
        throw new ConflictError('The lead has too many attempts')
      if ((await tx.$count(attempts, today)) >= MAX_ATTEMPTS_PER_DAY)
        throw new ConflictError('Too many attempts in a day')
    }
    const row = { kind, leadId, userId: viewer.id, at: attemptedAt, channel, outcome, sentKey: isMail ? key : null }
    const [inserted] = await tx.insert(attempts).values(row).returning({ id: attempts.id })
    const id = inserted?.id ?? 0
    // A lead that stays open is assigned to the user who tried, unless it has an assignee.
    const triage = status === 'in-progress' ? await readTriageRows(tx, kind, [leadId]) : null
    const assigneeId = triage ? (triage.get(leadId)?.assigneeId ?? viewer.id) : undefined
    const fields = { status, assigneeId, snoozeUntil }
    const { logged } = isDecided ? await applyTriageChange(tx, viewer.id, [lead], fields) : { logged: null }
    // The id of the decision's log entry ties both together, so that they are undone as one.
    const decision = logged && { decision: logged.first }
    const details = { attempt: id, channel, outcome, ...(key !== undefined && { key }), ...decision }
    await log({ action: 'attempt-logged', lead, details })
    await alsoWrite(tx)
    return { id, attemptedAt, logged }
  })
  services.announcer.announceTriage(kind, viewer.id, [school])
  return toAttemptAnswer(services, viewer, { ...recorded, channel, outcome, isMail })
}

type RecordedAttempt = { id: number; attemptedAt: Date; logged: LoggedBatch | null }
type AttemptDetails = Pick<NewAttempt, 'channel' | 'outcome'> & { isMail: boolean }

/** `undo` is empty if there is nothing to undo. */
function toAttemptAnswer({ seal }: Services, viewer: Viewer, attempt: RecordedAttempt & AttemptDetails) {
  const { id, attemptedAt, logged, channel, outcome, isMail } = attempt
  const by = { id: viewer.id, name: viewer.name }
  const undoable = { logged, attempt: isMail ? null : { id, at: attemptedAt } }
  const undo = logged === null && isMail ? '' : undoToken.make(seal, viewer.id, undoable)
  return { attempt: { id: String(id), at: attemptedAt.toISOString(), by, channel, outcome }, undo }
}

/** Repeats the answer that this mail got when it was recorded. Null if it never was. */
export async function findSentMail(services: Services, viewer: Viewer, lead: LeadRef, key: string) {
  const recorded = await findRecordedAttempt(await services.connect(), viewer, lead, key)
  return recorded && toAttemptAnswer(services, viewer, { ...recorded, channel: 'email', outcome: 'sent', isMail: true })
}

/** Hashes the caller's key with user and lead. Only the hash is stored, because the key is text of a request. */
export function hashAttemptKey(viewerId: string, { kind, id }: LeadRef, key: string): string {
  const text = JSON.stringify([viewerId, kind, id, key])
  return createHash('sha256').update(text).digest('base64url')
}

async function findRecordedAttempt(db: Db, viewer: Viewer, { kind, id }: LeadRef, key: string) {
  const isOwnEntry = and(eq(activity.userId, viewer.id), eq(activity.leadKind, kind), eq(activity.leadId, id))
  const columns = { id: activity.id, at: activity.at, details: activity.details }
  const entries = await db.select(columns).from(activity).where(isOwnEntry)
  const attempt = entries.find(({ details }) => details?.['key'] === key)
  if (attempt === undefined) return null
  const decision = entries.find(({ id: entryId }) => entryId === attempt.details?.['decision'])
  const logged = decision ? { first: decision.id, last: decision.id, at: decision.at } : null
  return { id: Number(attempt.details?.['attempt']), attemptedAt: attempt.at, logged }
}

/** Takes back an attempt on a lead in scope; a sent mail stays. Throws ConflictError after 24 hours. */
export async function undoAttempt(services: Services, viewer: Decider, { id, at }: { id: number; at: Date }) {
  const since = new Date(services.now() - UNDOABLE_MS)
  if (at < since) throw new ConflictError('This was too long ago to be undone')
  const noneRestored = { restored: 0, conflicts: 1 }
  const isMine = and(eq(attempts.userId, viewer.id), isNotNull(attempts.outcome), isNull(attempts.sentKey))
  const isThisAttempt = and(eq(attempts.id, id), isMine, gt(attempts.at, since))
  const db = await services.connect()
  const [lead] = await db.select({ kind: attempts.kind, id: attempts.leadId }).from(attempts).where(isThisAttempt)
  if (lead === undefined) return noneRestored
  const school = findSchoolInScope(await getLeadTable(services, viewer, lead.kind), viewer, lead.id)
  if (school === null) return noneRestored
  const isDone = await executeCommand(services, viewer, 'leads:triage', async (tx, log) => {
    await lockTriage(tx, viewer, 'one')
    const cleared = await clearAttempts(tx, isThisAttempt, new Date(services.now()))
    if (cleared === 0) log.skip()
    else await log({ action: 'attempt-undone', lead, details: { attempt: id } })
    return cleared > 0
  })
  if (!isDone) return noneRestored
  services.announcer.announceTriage(lead.kind, viewer.id, [school])
  return { restored: 1, conflicts: 0 }
}

/** Returns how many; the caller holds `lockTriage`. The row stays until every instance has read that it is cleared. */
export async function clearAttempts(tx: Db, condition: SQL | undefined, now: Date): Promise<number> {
  const revision = sql`nextval('triage_revision')`
  const cleared = { userId: null, channel: null, outcome: null, sentKey: null, at: now, revision }
  const isUncleared = and(condition, isNotNull(attempts.outcome))
  return (await tx.update(attempts).set(cleared).where(isUncleared).returning({ id: attempts.id })).length
}
