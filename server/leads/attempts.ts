import 'server-only'
import { createHash } from 'node:crypto'
import { and, eq, gt, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { AttemptAnswer, NewAttempt } from '@/lib/contract/attempts'
import type { AttemptChannel, AttemptOutcome, LeadRef, LeadStatus } from '@/lib/contract/lead'
import { command, type CommandParts } from '@/server/access/command'
import { allow, type Viewer, type Decider, type Sender } from '@/server/access/viewer'
import type { Db } from '@/server/base/database'
import { activity, attempts, type TriageFields } from '@/server/base/schema'
import { ConflictError } from '@/server/base/errors'
import { type LeadParts, leadTable, schoolInReach, schoolOfShownLead } from './select-leads'
import type { Announcer } from '@/server/base/announcer'
import type { Seal } from '@/server/base/seal'
import { checkFollowUpDay } from './change-triage'
import { UNDOABLE_MS, undoToken } from './restore-triage'
import { changeLeads, lockTriage, type LoggedBatch, triageRows } from './write-triage'

export type AttemptParts = LeadParts &
  CommandParts & { seal: Seal; announcer: Pick<Announcer, 'triage'>; now: () => number }

/** One undo for both. ConflictError if the lead or the user has too many. */
export async function addAttempt(parts: AttemptParts, viewer: Sender, attempt: NewAttempt): Promise<AttemptAnswer> {
  checkFollowUpDay(parts, attempt.snoozeUntil)
  const school = await schoolOfShownLead(parts, viewer, attempt)
  return writeAttempt(parts, viewer, school, { ...attempt, at: new Date(parts.now()) })
}

type NewAttemptRow = LeadRef & {
  channel: AttemptChannel
  outcome: AttemptOutcome
  status?: LeadStatus | undefined
  snoozeUntil?: string | null | undefined
  key?: string | undefined
  /** The attempt written by `insertUnsureMail`, of a mail that has been sent now. */
  unsureAttempt?: number
  at: Date
  /** Later decisions about the lead stay. */
  isLate?: boolean
}

/** The caller has checked scope and protection. */
export async function writeAttempt(
  parts: AttemptParts,
  viewer: Sender,
  school: string,
  { kind, id: leadId, channel, outcome, status, snoozeUntil, key, unsureAttempt, at, isLate = false }: NewAttemptRow,
): Promise<AttemptAnswer> {
  const lead = { kind, id: leadId }
  const fields: TriageFields = {
    ...(status !== undefined && { status }),
    ...(snoozeUntil !== undefined && { snoozeUntil }),
  }
  const isDecided = Object.keys(fields).length > 0
  // A key is the caller's text, which the log does not take.
  const once = key === undefined ? null : sentKeyOf(viewer.id, lead, key)
  if (isDecided) allow(viewer, 'leads:triage')
  const written = await command(parts, viewer, 'leads:reply', async (tx, log) => {
    await lockTriage(tx, viewer, 'one')
    const before = once !== null && (await attemptOfKey(tx, viewer, lead, once))
    if (before) {
      log.nothing()
      return before
    }
    const row = { kind, leadId, userId: viewer.id, at, channel, outcome }
    const id = unsureAttempt ?? (await insertAttempt(tx, viewer, row))
    if (unsureAttempt !== undefined && !(await markMailSent(tx, unsureAttempt))) {
      log.nothing()
      return { id, at, logged: null }
    }
    const isSuperseded = isLate && (await wasDecidedSince(tx, lead, at))
    const decided = isDecided && !isSuperseded
    const change = decided ? await withAssignee(tx, viewer, lead, fields) : null
    const { logged } = change ? await changeLeads(tx, viewer.id, [lead], change) : { logged: null }
    // Ties both together, to be undone as one.
    const decision = logged && { decision: logged.first }
    const details = { attempt: id, channel, outcome, ...(once !== null && { key: once }), ...decision }
    await log({ action: 'attempt-logged', lead, details })
    return { id, at, logged }
  })
  parts.announcer.triage(kind, viewer.id, [school])
  const { logged, ...rest } = written
  return answerOf(parts, viewer, { ...rest, channel, outcome }, [logged, unsureAttempt === undefined ? rest : null])
}

/** A lead that stays open is assigned to the user who tried, unless it has an assignee. */
async function withAssignee(tx: Db, { id }: Viewer, lead: LeadRef, fields: TriageFields): Promise<TriageFields> {
  if (fields.status !== 'in-progress') return fields
  const row = (await triageRows(tx, lead.kind, [lead.id])).get(lead.id)
  return { assigneeId: row?.assigneeId ?? id, ...fields }
}

type Written = { id: number; at: Date; channel: AttemptChannel; outcome: AttemptOutcome }
type ToUndo = [logged: LoggedBatch | null, attempt: { id: number; at: Date } | null]

/** A sent mail cannot be undone, only the decision made with it; `undo` is empty if there is nothing to undo. */
function answerOf(parts: Pick<AttemptParts, 'seal'>, viewer: Viewer, { id, at, ...rest }: Written, toUndo: ToUndo) {
  const by = { id: viewer.id, name: viewer.name }
  const isNothing = toUndo.every((part) => part === null)
  return {
    attempt: { id: String(id), at: at.toISOString(), by, ...rest },
    undo: isNothing ? '' : undoToken.make(parts.seal, viewer.id, ...toUndo),
  }
}

/** Under the lock: from here on the mail may have been sent. Null if the lead has one with this key. */
export async function insertUnsureMail(
  tx: Db,
  viewer: Viewer,
  { kind, id: leadId }: LeadRef,
  mail: { sentKey: string; at: Date },
) {
  const row = { ...mail, kind, leadId, userId: viewer.id, channel: 'email', outcome: 'unsure' } as const
  const [inserted] = await tx.insert(attempts).values(row).onConflictDoNothing().returning({ id: attempts.id })
  return inserted?.id ?? null
}

/** Under the lock. False if it is not unsure any more, or the lead was erased. */
export async function markMailSent(tx: Db, id: number): Promise<boolean> {
  const settled = { outcome: 'sent', revision: sql`nextval('triage_revision')` } as const
  const isUnsure = and(eq(attempts.id, id), eq(attempts.outcome, 'unsure'))
  return (await tx.update(attempts).set(settled).where(isUnsure).returning({ id: attempts.id })).length > 0
}

async function wasDecidedSince(tx: Db, { kind, id }: LeadRef, at: Date): Promise<boolean> {
  const row = (await triageRows(tx, kind, [id])).get(id)
  return row !== undefined && row.updatedAt > at
}

/** Limits what every instance keeps in memory and sends with a lead. */
export const MAX_PER_LEAD = 200
const MAX_PER_DAY = 1_000
const DAY_MS = 24 * 3_600_000

/** Sent mails are not limited here. */
async function insertAttempt(tx: Db, viewer: Viewer, row: Omit<typeof attempts.$inferInsert, 'at'> & { at: Date }) {
  const onLead = and(eq(attempts.kind, row.kind), eq(attempts.leadId, row.leadId), isNotNull(attempts.outcome))
  const today = and(eq(attempts.userId, viewer.id), gt(attempts.at, new Date(row.at.getTime() - DAY_MS)))
  if ((await tx.$count(attempts, onLead)) >= MAX_PER_LEAD) throw new ConflictError('The lead has too many attempts')
  if ((await tx.$count(attempts, today)) >= MAX_PER_DAY) throw new ConflictError('Too many attempts in a day')
  const [made] = await tx.insert(attempts).values(row).returning({ id: attempts.id })
  return made?.id ?? 0
}

/** Identifies a request of this user about this lead, so that it is not carried out twice. */
export function sentKeyOf(viewerId: string, { kind, id }: LeadRef, key: string): string {
  return createHash('sha256')
    .update(JSON.stringify([viewerId, kind, id, key]))
    .digest('base64url')
}

export async function findSent(
  db: Db,
  parts: Pick<AttemptParts, 'seal'>,
  viewer: Viewer,
  { sentKey, isDecided }: { sentKey: string; isDecided: boolean },
): Promise<AttemptAnswer | null> {
  const isIt = and(eq(attempts.sentKey, sentKey), eq(attempts.outcome, 'sent'))
  const [row] = await db.select().from(attempts).where(isIt).limit(1)
  if (row === undefined) return null
  const batch = isDecided ? await decisionWith(db, viewer, row) : null
  return answerOf(parts, viewer, { id: row.id, at: row.at, channel: 'email', outcome: 'sent' }, [batch, null])
}

type LogEntry = Pick<typeof activity.$inferSelect, 'id' | 'at' | 'details'>

async function decisionWith(db: Db, viewer: Viewer, { id, kind, leadId }: typeof attempts.$inferSelect) {
  const entries = await entriesOf(db, viewer, { kind, id: leadId })
  return decisionOf(
    entries,
    entries.find(({ details }) => details?.['attempt'] === id),
  )
}

/** Under the lock: what this user noted before under this key. */
async function attemptOfKey(tx: Db, viewer: Viewer, lead: LeadRef, key: string) {
  const entries = await entriesOf(tx, viewer, lead)
  const noted = entries.find(({ details }) => details?.['key'] === key)
  return noted && { id: Number(noted.details?.['attempt']), at: noted.at, logged: decisionOf(entries, noted) }
}

async function entriesOf(db: Db, viewer: Viewer, { kind, id }: LeadRef): Promise<LogEntry[]> {
  const isIts = and(eq(activity.userId, viewer.id), eq(activity.leadKind, kind), eq(activity.leadId, id))
  const columns = { id: activity.id, at: activity.at, details: activity.details }
  return db.select(columns).from(activity).where(isIts)
}

function decisionOf(entries: readonly LogEntry[], noted: LogEntry | undefined): LoggedBatch | null {
  const entry = entries.find((one) => one.id === noted?.details?.['decision'])
  return entry ? { first: entry.id, last: entry.id, at: entry.at } : null
}

/** Within a day, on a lead in scope; a sent mail stays. ConflictError if too long ago. */
export async function undoAttempt(parts: AttemptParts, viewer: Decider, { id, at }: { id: number; at: Date }) {
  const since = new Date(parts.now() - UNDOABLE_MS)
  if (at < since) throw new ConflictError('This was too long ago to be undone')
  const noneRestored = { restored: 0, conflicts: 1 }
  const isMine = and(eq(attempts.userId, viewer.id), isNotNull(attempts.outcome), isNull(attempts.sentKey))
  const isIt = and(eq(attempts.id, id), isMine, gt(attempts.at, since))
  const db = await parts.connect()
  const [lead] = await db.select({ kind: attempts.kind, id: attempts.leadId }).from(attempts).where(isIt)
  if (lead === undefined) return noneRestored
  const school = schoolInReach(await leadTable(parts, viewer, lead.kind), viewer, lead.id)
  if (school === null) return noneRestored
  const isDone = await command(parts, viewer, 'leads:triage', async (tx, log) => {
    await lockTriage(tx, viewer, 'one')
    const emptied = await emptyAttempts(tx, isIt, new Date(parts.now()))
    if (emptied === 0) log.nothing()
    else await log({ action: 'attempt-undone', lead, details: { attempt: id } })
    return emptied > 0
  })
  if (!isDone) return noneRestored
  parts.announcer.triage(lead.kind, viewer.id, [school])
  return { restored: 1, conflicts: 0 }
}

/** Under the lock; returns how many. Lead and time stay until every instance has read the deletion. */
export async function emptyAttempts(tx: Db, which: SQL | undefined, now: Date): Promise<number> {
  const revision = sql`nextval('triage_revision')`
  const left = { userId: null, channel: null, outcome: null, sentKey: null, at: now, revision }
  const isFilled = and(which, isNotNull(attempts.outcome))
  return (await tx.update(attempts).set(left).where(isFilled).returning({ id: attempts.id })).length
}

export async function deleteEmptyAttempts(tx: Db, before: Date): Promise<void> {
  await tx.delete(attempts).where(and(isNull(attempts.outcome), lt(attempts.at, before)))
}
