import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { between, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { LeadRef } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import type { UndoAnswer } from '@/lib/contract/triage'
import { command, type CommandParts } from '@/server/access/command'
import type { Allowed, Viewer } from '@/server/access/viewer'
import type { Db } from '@/server/db/database'
import { activity } from '@/server/db/schema'
import { ConflictError, InvalidInputError } from '@/server/errors'
import type { Announcer } from '@/server/events/announcer'
import { type LeadParts, leadTable, schoolInReach } from '@/server/leads/select-leads'
import type { Seal } from '@/server/seal'
import { advanceBatch, beginBatch, endBatch, type HeldBatch } from './batches'
import { createPartSize, FIRST_PART } from './part-size'
import { lockTriage, type LogRange, triageDetailsSchema, triageOfLead, writeTriage } from './write-triage'

type Parts = CommandParts & LeadParts & { seal: Seal; announcer: Pick<Announcer, 'triage'>; now: () => number }

/** How long a change can be taken back. */
export const UNDOABLE_MS = 24 * 3_600_000

/**
 * Undoes a batch of one's own changes, for every lead within reach that nobody has changed since.
 * InvalidInputError for what names no batch of this person, ConflictError after a day.
 */
export async function undoTriage(parts: Parts, viewer: Allowed<'leads:triage'>, undo: string): Promise<UndoAnswer> {
  const logged = undoToken.read(parts.seal, viewer.id, undo)
  if (logged === null) throw new InvalidInputError('undo')
  const schoolOf = await reach(parts, viewer)
  const since = new Date(parts.now() - UNDOABLE_MS)
  // What takes more than a part is kept, so that it ends without us, too.
  const isLong = logged.last - logged.first >= FIRST_PART && logged.at >= since
  const held = isLong ? await beginBatch(parts.connect, viewer.id, { undo: logged }) : null
  const isInReach = (lead: LeadRef) => schoolOf(lead) !== null
  const { restored, conflicts } = await restoreBatch(parts, viewer, { ...logged, since, isInReach, held })
  if (held) await endBatch(parts.connect, held, 'taken-back')
  if (restored.length + conflicts === 0) throw new ConflictError('This was too long ago to be undone')
  for (const kind of LEAD_KINDS) {
    const schools = new Set(restored.flatMap((lead) => (lead.kind === kind ? (schoolOf(lead) ?? []) : [])))
    if (schools.size > 0) parts.announcer.triage(kind, viewer.id, schools)
  }
  return { restored: restored.length, conflicts }
}

/** The school of a lead that is there and within the viewer's reach, else null. */
async function reach(parts: LeadParts, viewer: Viewer): Promise<(lead: LeadRef) => string | null> {
  const tables = {
    'asked-question': await leadTable(parts, viewer, 'asked-question'),
    'declaration-of-interest': await leadTable(parts, viewer, 'declaration-of-interest'),
  }
  return ({ kind, id }) => schoolInReach(tables[kind], viewer, id)
}

/** Where the activity log has a batch: a range of entries, all of one moment. */
export type LoggedBatch = LogRange & { at: Date }

/** Names a batch of changes by where the activity log has it; sealed, so that only the same person can hand it in. */
export const undoToken = {
  make: (seal: Seal, userId: string, { first, last, at }: LoggedBatch) =>
    seal.close(`${first}-${last}-${at.getTime()}`, placeOf(userId)),
  /** Null for what is no token of this person. */
  read: (seal: Seal, userId: string, token: string): LoggedBatch | null => {
    const match = /^(\d{1,15})-(\d{1,15})-(\d{1,15})$/.exec(seal.open(token, placeOf(userId)) ?? '')
    return match && { first: Number(match[1]), last: Number(match[2]), at: new Date(Number(match[3])) }
  },
}

const placeOf = (userId: string) => `undo ${userId}`

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
        and ${known.updatedBy} = ${userId} and ${known.updatedAt} = ${moment}`.as('is_still'),
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

async function restore(tx: Db, userId: string, at: Date, undoable: readonly LoggedChange[]): Promise<void> {
  for (const kind of LEAD_KINDS) {
    const changes = undoable
      .filter((one) => one.kind === kind)
      .map(({ id, details: { from, to, assignee, assigneeBefore = assignee } }) => ({
        id,
        before: { status: to, assigneeId: assignee },
        after: { status: from, assigneeId: assigneeBefore },
      }))
    await writeTriage(tx, { userId, kind, at, action: 'triage-undone' }, changes)
  }
}
