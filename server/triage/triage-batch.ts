import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { max, sql } from 'drizzle-orm'
import type { LeadKind, LeadRef, LeadStatus } from '@/lib/contract/lead'
import { isClosed, LEAD_KINDS } from '@/lib/contract/lists'
import type { TriageEntry } from '@/lib/leads/triage-columns'
import { command, type CommandParts } from '@/server/access/command'
import type { Viewer } from '@/server/access/viewer'
import type { Db } from '@/server/db/database'
import { activity, triage, type TriageFields } from '@/server/db/schema'
import {
  advanceBatch,
  BatchTakenOverError,
  beginBatch,
  endBatch,
  type HeldBatch,
  leadsOfBatch,
  type LeadToChange,
  loggedOf,
  type StoredBatch,
  turnBack,
} from './batches'
import { createPartSize, FIRST_PART } from './part-size'
import { restoreBatch } from './restore-batch'
import type { LoggedBatch } from './undo-token'
import { lockTriage, type LogRange, triageEntry, triageRows, writeTriage } from './write-triage'

type ChangedTriage = LeadRef & { before: TriageEntry | null; after: TriageEntry }
export type TriageBatch = {
  changed: ChangedTriage[]
  /** Leads that somebody else has changed since, as they are now. */
  conflicts: (LeadRef & { now: TriageEntry | null })[]
  /** Where the activity log has it; null when nothing changed. */
  logged: LoggedBatch | null
}
export type BatchProgress = {
  /** Called after each part with how many leads are done; the next part waits for it. */
  onProgress?: (done: number) => Promise<void> | void
  /** Aborted: what was done is undone and the call rejects with the reason. */
  signal?: AbortSignal
}

/**
 * Writes the new triage with its place in the activity log, and answers what really changed. Part by part, each a command
 * of its own, so that nobody waits for seconds; a lead that somebody changes meanwhile is a conflict. What fails in the
 * middle is undone, and the log holds both. What takes more than a part is kept as a batch, so that it ends without us, too.
 */
export async function changeTriage(
  parts: CommandParts,
  viewer: Viewer,
  leads: readonly LeadToChange[],
  fields: TriageFields,
  progress: BatchProgress = {},
): Promise<TriageBatch> {
  const ordered = LEAD_KINDS.flatMap((kind) => leads.filter((lead) => lead.kind === kind))
  const begin = () => beginBatch(parts.connect, viewer.id, { fields, leads: ordered }, progress.signal)
  const held = isOnePart(ordered) ? null : await begin()
  const work: Work = { leads: ordered, fields, held, start: null, done: 0, isInReach: () => true }
  const batch: TriageBatch = { changed: [], conflicts: [], logged: null }
  try {
    await changeParts(parts, viewer, work, batch, progress)
    progress.signal?.throwIfAborted()
    if (held) await endBatch(parts.connect, held, 'finished')
    return batch
  } catch (error) {
    if (!(error instanceof BatchTakenOverError)) await takeBack(parts, viewer, held, batch.logged)
    throw error
  }
}

async function takeBack(parts: CommandParts, viewer: Viewer, held: HeldBatch | null, known: LoggedBatch | null) {
  const logged = held ? await turnBack(parts.connect, held) : known
  if (logged) await restoreBatch(parts, viewer, { ...logged, since: new Date(0), isInReach: () => true, held })
  if (held) await endBatch(parts.connect, held, 'taken-back')
}

/** What is to be done, and where it begins: `done` of the leads are, in the order of kinds. */
type Work = {
  leads: readonly LeadToChange[]
  fields: TriageFields
  /** Null where one transaction does it all. */
  held: HeldBatch | null
  start: Start | null
  done: number
  isInReach: (lead: LeadRef) => boolean
}

/** Changes what is left of a batch that somebody else began; what fails can be continued again. */
export async function continueChange(
  parts: CommandParts,
  viewer: Viewer,
  stored: StoredBatch,
  isInReach: Work['isInReach'],
): Promise<void> {
  const { at, revision, done, fields } = stored
  const start = at === null || revision === null ? null : { at, revision }
  const work: Work = { leads: leadsOfBatch(stored), fields: fields ?? {}, held: stored, start, done, isInReach }
  await changeParts(parts, viewer, work, { changed: [], conflicts: [], logged: loggedOf(stored) })
  await endBatch(parts.connect, stored, 'finished')
}

async function changeParts(
  parts: CommandParts,
  viewer: Viewer,
  { leads, fields, held, isInReach, ...from }: Work,
  batch: TriageBatch,
  { onProgress, signal }: BatchProgress = {},
): Promise<void> {
  const size = createPartSize()
  let { start, done } = from
  while (done < leads.length) {
    signal?.throwIfAborted()
    const since = start
    const { kind, count, leads: its } = partFrom(leads, done, size.next())
    const part = { kind, leads: its.filter(isInReach) }
    const change = () =>
      command(parts, viewer, 'leads:triage', async (tx, log) => {
        await lockTriage(tx)
        const written = await changePart(tx, viewer.id, part, fields, since ?? (await startOf(tx, viewer.id)))
        if (held) await advanceBatch(tx, held, howFar(batch, written, done + count))
        if (written.range) log.written()
        else log.nothing()
        return written
      })
    const written = await size.timed(count, change)
    start = written.since
    add(batch, written)
    done += count
    await onProgress?.(done)
    await setImmediate()
  }
}

/** Whether one transaction does it all. */
export function isOnePart(leads: readonly LeadRef[]): boolean {
  return leads.length <= FIRST_PART && leads.every(({ kind }) => kind === leads[0]?.kind)
}

type Part = { kind: LeadKind; leads: LeadToChange[] }

/** So many of the leads from there on, as far as they are of one kind; `count` of all. */
function partFrom(leads: readonly LeadToChange[], from: number, most: number): Part & { count: number } {
  const kind = leads[from]?.kind ?? 'asked-question'
  const next = leads.slice(from, from + most)
  const other = next.findIndex((lead) => lead.kind !== kind)
  const its = other === -1 ? next : next.slice(0, other)
  return { kind, leads: its, count: its.length }
}

/** The moment of the whole batch, and the newest revision before it. */
type Start = { at: Date; revision: number }

/** Of two batches of one person none is of the same moment, by which their entries in the log are told apart. */
async function startOf(tx: Db, userId: string): Promise<Start> {
  const now = Date.now()
  const theirs = sql<number>`(select extract(epoch from max(${activity.at})) * 1000 from ${activity}
    where ${activity.userId} = ${userId} and ${activity.at} >= ${new Date(now).toISOString()}::timestamptz
      and ${activity.at} < ${new Date(now + NEAR_MS).toISOString()}::timestamptz)`
  const [newest] = await tx.select({ revision: max(triage.revision), theirs: theirs.mapWith(Number) }).from(triage)
  const at = newest?.theirs ? Math.round(newest.theirs) + 1 : now
  return { at: new Date(at), revision: newest?.revision ?? 0 }
}

/** Another instance's clock may be ahead of ours. */
const NEAR_MS = 1_000

function howFar(batch: TriageBatch, { since, range }: WrittenPart, done: number) {
  const logged = range && { firstLog: batch.logged?.first ?? range.first, lastLog: range.last }
  return { ...since, ...logged, done }
}

type WrittenPart = Pick<TriageBatch, 'changed' | 'conflicts'> & { range: LogRange | null; since: Start }

async function changePart(
  tx: Db,
  userId: string,
  { kind, leads }: Part,
  fields: TriageFields,
  since: Start,
): Promise<WrittenPart> {
  const { at, revision } = since
  const rows = await triageRows(
    tx,
    kind,
    leads.map(({ id }) => id),
  )
  const conflicts: TriageBatch['conflicts'] = []
  const changed = leads.flatMap(({ id, updatedAt }): ChangedTriage[] => {
    const row = rows.get(id)
    const before = row ? triageEntry(row) : null
    const isOutdated = updatedAt !== undefined && updatedAt !== (before?.updatedAt ?? null)
    const status = fields.status ?? before?.status ?? 'new'
    const assigneeId = fields.assigneeId === undefined ? (before?.assigneeId ?? null) : fields.assigneeId
    const snoozeUntil = snoozeAfter(fields, status, before)
    const isSame =
      status === (before?.status ?? 'new') &&
      assigneeId === (before?.assigneeId ?? null) &&
      snoozeUntil === (before?.snoozeUntil ?? null)
    const isOvertaken = (row?.revision ?? 0) > revision
    if (isOutdated || (isOvertaken && !isSame)) {
      conflicts.push({ kind, id, now: before && { ...before, updatedById: row?.updatedBy ?? null } })
    }
    if (isOutdated || isOvertaken || isSame) return []
    return [{ kind, id, before, after: { status, assigneeId, snoozeUntil, updatedAt: at.getTime() } }]
  })
  const range = await writeTriage(tx, { userId, kind, at, action: 'triage-changed' }, changed)
  return { changed, conflicts, range, since }
}

/** What is closed does not come back by itself. */
function snoozeAfter(fields: TriageFields, status: LeadStatus, before: TriageEntry | null): string | null {
  if (isClosed(status)) return null
  return fields.snoozeUntil !== undefined ? fields.snoozeUntil : (before?.snoozeUntil ?? null)
}

/** Within a command, under the lock of all writers: one lead, written and logged with whatever else the command does. */
export async function changeOne(
  tx: Db,
  viewer: Viewer,
  { kind, id }: LeadRef,
  fields: TriageFields,
): Promise<LoggedBatch | null> {
  const since = await startOf(tx, viewer.id)
  const { range } = await changePart(tx, viewer.id, { kind, leads: [{ kind, id }] }, fields, since)
  return range && { ...range, at: since.at }
}

function add(batch: TriageBatch, { changed, conflicts, range, since }: WrittenPart): void {
  for (const one of changed) batch.changed.push(one)
  for (const one of conflicts) batch.conflicts.push(one)
  if (range) batch.logged = { first: batch.logged?.first ?? range.first, last: range.last, at: since.at }
}
