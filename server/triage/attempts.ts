import 'server-only'
import { createHash } from 'node:crypto'
import { and, eq, gt, isNotNull, sql } from 'drizzle-orm'
import type { AttemptAnswer, AttemptChannel, AttemptOutcome, NewAttempt } from '@/lib/contract/attempts'
import type { LeadRef, LeadStatus } from '@/lib/contract/lead'
import type { UndoAnswer } from '@/lib/contract/triage'
import { command, type CommandParts } from '@/server/access/command'
import { allow, type Allowed } from '@/server/access/viewer'
import type { Db } from '@/server/db/database'
import { attempts, type TriageFields } from '@/server/db/schema'
import { ConflictError } from '@/server/errors'
import type { Announcer } from '@/server/events/announcer'
import { isStorableText } from '@/server/http/input'
import { type LeadParts, schoolOfLeadInReach, schoolOfShownLead } from '@/server/leads/select-leads'
import type { Seal } from '@/server/seal'
import { changeOne } from './triage-batch'
import { UNDOABLE_MS, undoToken } from './undo-token'
import { lockTriage } from './write-triage'

export type AttemptParts = LeadParts &
  CommandParts & { seal: Seal; announcer: Pick<Announcer, 'triage'>; now: () => number }

/**
 * Notes that the viewer tried to reach the person of a lead, and with it what is decided about the lead; undone as one.
 * NotFoundError for a lead that is gone or out of reach, ForbiddenError where its person is not shown to the viewer.
 */
export async function addAttempt(
  parts: AttemptParts,
  viewer: Allowed<'leads:reply'>,
  attempt: NewAttempt,
): Promise<AttemptAnswer> {
  const school = await schoolOfShownLead(parts, viewer, attempt)
  return writeAttempt(parts, viewer, school, { ...attempt, sentKey: null })
}

type ToWrite = LeadRef & {
  channel: AttemptChannel
  outcome: AttemptOutcome
  status?: LeadStatus | undefined
  snoozeUntil?: string | null | undefined
  /** What names a mail that Intag has sent (`sentKeyOf`). */
  sentKey: string | null
}

/** The same of a lead whose school is known to be within reach, and whose person to be shown. */
export async function writeAttempt(
  parts: AttemptParts,
  viewer: Allowed<'leads:reply'>,
  school: string,
  { kind, id: leadId, channel, outcome, status, snoozeUntil, sentKey }: ToWrite,
): Promise<AttemptAnswer> {
  const lead = { kind, id: leadId }
  const fields: TriageFields = {
    ...(status !== undefined && { status }),
    ...(snoozeUntil !== undefined && { snoozeUntil }),
  }
  const isDecided = Object.keys(fields).length > 0
  if (isDecided) allow(viewer, 'leads:triage')
  const at = new Date(parts.now())
  const written = await command(parts, viewer, 'leads:reply', async (tx, log) => {
    await lockTriage(tx)
    const [row] = await tx
      .insert(attempts)
      .values({ kind, leadId, userId: viewer.id, at, channel, outcome, sentKey })
      .returning({ id: attempts.id })
    const id = row?.id ?? 0
    const logged = isDecided ? await changeOne(tx, viewer, lead, fields) : null
    // So that both are found again as one, to be taken back.
    const decision = logged && { decision: logged.first }
    await log({ action: 'attempt-logged', lead, details: { attempt: id, channel, outcome, ...decision } })
    return { id, logged }
  })
  parts.announcer.triage(kind, viewer.id, [school])
  const by = { id: viewer.id, name: viewer.name }
  return {
    attempt: { id: String(written.id), at: at.toISOString(), by, channel, outcome },
    undo: undoToken.make(parts.seal, viewer.id, written.logged, { id: written.id, at }),
  }
}

/** Names a mail for the person who sends it, so that the same is not sent twice. */
export function sentKeyOf(viewerId: string, key: string): string {
  return createHash('sha256').update(`${viewerId} ${key}`).digest('base64url')
}

/** Whether a mail of this name was sent, by the attempt that tells of it. */
export async function isSent(db: Db, sentKey: string): Promise<boolean> {
  const found = await db.select({ id: attempts.id }).from(attempts).where(eq(attempts.sentKey, sentKey)).limit(1)
  return found.length > 0
}

/** Takes back an attempt of one's own, within a day. ConflictError when it is gone, or was too long ago. */
export async function takeBackAttempt(
  parts: AttemptParts,
  viewer: Allowed<'leads:triage'>,
  { id, at }: { id: number; at: Date },
): Promise<UndoAnswer> {
  const since = new Date(parts.now() - UNDOABLE_MS)
  if (at < since) throw new ConflictError('This was too long ago to be undone')
  const isOwn = and(eq(attempts.id, id), eq(attempts.userId, viewer.id), isNotNull(attempts.outcome))
  const lead = await command(parts, viewer, 'leads:triage', async (tx, log) => {
    await lockTriage(tx)
    const [row] = await tx
      .update(attempts)
      .set(NOTHING_LEFT)
      .where(and(isOwn, gt(attempts.at, since)))
      .returning({ kind: attempts.kind, id: attempts.leadId })
    if (row === undefined) log.nothing()
    else await log({ action: 'attempt-undone', lead: row, details: { attempt: id } })
    return row ?? null
  })
  if (lead === null) return { restored: 0, conflicts: 1 }
  const school = isStorableText(lead.id) ? await schoolOfLeadInReach(parts, viewer, lead).catch(() => null) : null
  if (school !== null) parts.announcer.triage(lead.kind, viewer.id, [school])
  return { restored: 1, conflicts: 0 }
}

/** What stays of an attempt until every instance has read that it is gone. */
export const NOTHING_LEFT = {
  userId: null,
  channel: null,
  outcome: null,
  revision: sql`nextval('triage_revision')`,
}
