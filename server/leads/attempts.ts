import 'server-only'
import { createHash } from 'node:crypto'
import { and, eq, gt, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { NewAttempt } from '@/lib/contract/attempts'
import type { Answer } from '@/lib/contract/endpoints'
import type { LeadRef } from '@/lib/contract/lead'
import { executeCommand } from '@/server/access/command'
import { requirePermission, type Viewer, type Decider, type Replier } from '@/server/access/viewer'
import type { Db } from '@/server/base/database'
import { activity, attempts } from '@/server/base/schema'
import { ConflictError } from '@/server/base/errors'
import { getLeadTable, findSchoolInScope, requireLeadSchool } from './select-leads'
import type { Services } from '@/server/base/services'
import { checkFollowUpDay } from './change-triage'
import { applyTriageChange, lockTriage, type LoggedBatch, readTriageRows, UNDOABLE_MS, undoToken } from './write-triage'

/** Limits what every instance keeps in memory and sends with a lead. */
export const MAX_ATTEMPTS_PER_LEAD = 200
const MAX_ATTEMPTS_PER_DAY = 1_000
const DAY_MS = 24 * 3_600_000

/** One undo for both. ConflictError if the lead or the user has too many. */
export async function addAttempt(
  services: Services,
  viewer: Replier,
  attempt: NewAttempt,
): Promise<Answer<'POST /api/attempts'>> {
  checkFollowUpDay(services, attempt.snoozeUntil)
  const school = await requireLeadSchool(services, viewer, attempt)
  const key = attempt.key === undefined ? undefined : hashAttemptKey(viewer.id, attempt, attempt.key)
  return recordAttempt(services, viewer, school, { ...attempt, key })
}

/**
 * Notes an attempt with what was decided, in one transaction, to which `also` adds. The caller has checked scope and
 * protection. The same key again writes nothing and gets the same answer. Of a mail only what was decided can be undone.
 */
export async function recordAttempt(
  services: Services,
  viewer: Replier,
  school: string,
  attempt: NewAttempt & { isMail?: boolean },
  alsoWrite: (tx: Db) => Promise<void> = async () => {},
): Promise<Answer<'POST /api/attempts'>> {
  const { kind, id: leadId, channel, outcome, status, snoozeUntil, key, isMail = false } = attempt
  const at = new Date(services.now())
  const lead = { kind, id: leadId }
  const isDecided = status !== undefined || snoozeUntil !== undefined
  if (isDecided) requirePermission(viewer, 'leads:triage')
  const noted = await executeCommand(services, viewer, 'leads:reply', async (tx, log) => {
    await lockTriage(tx, viewer, 'one')
    const before = key !== undefined && (await findRecordedAttempt(tx, viewer, lead, key))
    if (before) {
      log.skip()
      return before
    }
    if (!isMail) {
      const onLead = and(eq(attempts.kind, kind), eq(attempts.leadId, leadId), isNotNull(attempts.outcome))
      const today = and(eq(attempts.userId, viewer.id), gt(attempts.at, new Date(at.getTime() - DAY_MS)))
      if ((await tx.$count(attempts, onLead)) >= MAX_ATTEMPTS_PER_LEAD)
        throw new ConflictError('The lead has too many attempts')
      if ((await tx.$count(attempts, today)) >= MAX_ATTEMPTS_PER_DAY)
        throw new ConflictError('Too many attempts in a day')
    }
    const row = { kind, leadId, userId: viewer.id, at, channel, outcome, sentKey: isMail ? key : null }
    const [made] = await tx.insert(attempts).values(row).returning({ id: attempts.id })
    const id = made?.id ?? 0
    // A lead that stays open is assigned to the user who tried, unless it has an assignee.
    const decided = status === 'in-progress' ? await readTriageRows(tx, kind, [leadId]) : null
    const assigneeId = decided ? (decided.get(leadId)?.assigneeId ?? viewer.id) : undefined
    const fields = { status, assigneeId, snoozeUntil }
    const { logged } = isDecided ? await applyTriageChange(tx, viewer.id, [lead], fields) : { logged: null }
    // Ties both together, to be undone as one.
    const decision = logged && { decision: logged.first }
    await log({
      action: 'attempt-logged',
      lead,
      details: { attempt: id, channel, outcome, ...(key !== undefined && { key }), ...decision },
    })
    await alsoWrite(tx)
    return { id, attemptedAt: at, logged }
  })
  services.announcer.announceTriage(kind, viewer.id, [school])
  return toAttemptAnswer(services, viewer, noted, { channel, outcome, isMail })
}

type RecordedAttempt = { id: number; attemptedAt: Date; logged: LoggedBatch | null }

type Attempted = Pick<NewAttempt, 'channel' | 'outcome'> & { isMail: boolean }

/** `undo` is empty if there is nothing to undo. */
function toAttemptAnswer(
  { seal }: Services,
  viewer: Viewer,
  { id, attemptedAt: at, logged }: RecordedAttempt,
  attempted: Attempted,
) {
  const { channel, outcome, isMail } = attempted
  const by = { id: viewer.id, name: viewer.name }
  const undoable = { logged, attempt: isMail ? null : { id, at } }
  const undo = logged === null && isMail ? '' : undoToken.make(seal, viewer.id, undoable)
  return { attempt: { id: String(id), at: at.toISOString(), by, channel, outcome }, undo }
}

/** What was answered when this mail was noted; null if it was not. */
export async function findSentMail(services: Services, viewer: Viewer, lead: LeadRef, key: string) {
  const noted = await findRecordedAttempt(await services.connect(), viewer, lead, key)
  return noted && toAttemptAnswer(services, viewer, noted, { channel: 'email', outcome: 'sent', isMail: true })
}

/** Identifies a request of this user about this lead. A key is the caller's text, which neither log nor tables take. */
export function hashAttemptKey(viewerId: string, { kind, id }: LeadRef, key: string): string {
  return createHash('sha256')
    .update(JSON.stringify([viewerId, kind, id, key]))
    .digest('base64url')
}

/** What this user noted before under this key, by the log. */
async function findRecordedAttempt(
  db: Db,
  viewer: Viewer,
  { kind, id }: LeadRef,
  key: string,
): Promise<RecordedAttempt | null> {
  const isTheirs = and(eq(activity.userId, viewer.id), eq(activity.leadKind, kind), eq(activity.leadId, id))
  const columns = { id: activity.id, at: activity.at, details: activity.details }
  const entries = await db.select(columns).from(activity).where(isTheirs)
  const noted = entries.find(({ details }) => details?.['key'] === key)
  if (noted === undefined) return null
  const entry = entries.find((one) => one.id === noted.details?.['decision'])
  const logged = entry ? { first: entry.id, last: entry.id, at: entry.at } : null
  return { id: Number(noted.details?.['attempt']), attemptedAt: noted.at, logged }
}

/** Within a day, on a lead in scope; a sent mail stays. ConflictError if too long ago. */
export async function undoAttempt(services: Services, viewer: Decider, { id, at }: { id: number; at: Date }) {
  const since = new Date(services.now() - UNDOABLE_MS)
  if (at < since) throw new ConflictError('This was too long ago to be undone')
  const noneRestored = { restored: 0, conflicts: 1 }
  const isMine = and(eq(attempts.userId, viewer.id), isNotNull(attempts.outcome), isNull(attempts.sentKey))
  const isIt = and(eq(attempts.id, id), isMine, gt(attempts.at, since))
  const db = await services.connect()
  const [lead] = await db.select({ kind: attempts.kind, id: attempts.leadId }).from(attempts).where(isIt)
  if (lead === undefined) return noneRestored
  const school = findSchoolInScope(await getLeadTable(services, viewer, lead.kind), viewer, lead.id)
  if (school === null) return noneRestored
  const isDone = await executeCommand(services, viewer, 'leads:triage', async (tx, log) => {
    await lockTriage(tx, viewer, 'one')
    const emptied = await clearAttempts(tx, isIt, new Date(services.now()))
    if (emptied === 0) log.skip()
    else await log({ action: 'attempt-undone', lead, details: { attempt: id } })
    return emptied > 0
  })
  if (!isDone) return noneRestored
  services.announcer.announceTriage(lead.kind, viewer.id, [school])
  return { restored: 1, conflicts: 0 }
}

/** Under the lock; returns how many. Lead and time stay until every instance has read the deletion. */
export async function clearAttempts(tx: Db, condition: SQL | undefined, now: Date): Promise<number> {
  const revision = sql`nextval('triage_revision')`
  const emptied = { userId: null, channel: null, outcome: null, sentKey: null, at: now, revision }
  const isFilled = and(condition, isNotNull(attempts.outcome))
  return (await tx.update(attempts).set(emptied).where(isFilled).returning({ id: attempts.id })).length
}
