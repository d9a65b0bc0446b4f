import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { max } from 'drizzle-orm'
import type { LeadKind, LeadRef, LeadStatus } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import type { TriageEntry } from '@/lib/leads/triage-columns'
import { command, type CommandParts } from '@/server/access/command'
import type { Viewer } from '@/server/access/viewer'
import type { Db } from '@/server/db/database'
import { triage } from '@/server/db/schema'
import { createPartSize, FIRST_PART } from './part-size'
import { type LoggedBatch, restoreBatch } from './undo-triage'
import { lockTriage, type LogRange, triageEntry, triageRows, writeTriage } from './write-triage'

/** What to set; what is absent stays as it is. */
export type TriageFields = { status?: LeadStatus; assigneeId?: string | null }
/** `updatedAt` (ms; null: never): change it only if its triage still is of that moment. */
export type LeadToChange = LeadRef & { updatedAt?: number | null }
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
 * middle is undone, and the log holds both.
 */
export async function changeTriage(
  parts: CommandParts,
  viewer: Viewer,
  leads: readonly LeadToChange[],
  fields: TriageFields,
  { onProgress, signal }: BatchProgress = {},
): Promise<TriageBatch> {
  const batch: TriageBatch = { changed: [], conflicts: [], logged: null }
  const size = createPartSize()
  let start: Start | null = null
  let done = 0
  try {
    for (const part of partsOf(leads, size.next)) {
      signal?.throwIfAborted()
      const since: Start | null = start
      const change = () =>
        command(parts, viewer, 'leads:triage', async (tx, log) => {
          await lockTriage(tx)
          const its = await changePart(tx, viewer.id, part, fields, since ?? (await startOf(tx)))
          if (its.range) log.written()
          else log.nothing()
          return its
        })
      const written = await size.timed(part.leads.length, change)
      start = written.since
      add(batch, written)
      await onProgress?.((done += part.leads.length))
      await setImmediate()
    }
    signal?.throwIfAborted()
    return batch
  } catch (error) {
    if (batch.logged) await restoreBatch(parts, viewer, { ...batch.logged, since: new Date(0), isInReach: () => true })
    throw error
  }
}

/** Whether one transaction does it all. */
export function isOnePart(leads: readonly LeadRef[]): boolean {
  return leads.length <= FIRST_PART && leads.every(({ kind }) => kind === leads[0]?.kind)
}

type Part = { kind: LeadKind; leads: LeadToChange[] }

/** `size` is asked before each part. */
function* partsOf(leads: readonly LeadToChange[], size: () => number): Generator<Part> {
  for (const kind of LEAD_KINDS) {
    const ofKind = leads.filter((lead) => lead.kind === kind)
    for (let from = 0; from < ofKind.length;) {
      const part = ofKind.slice(from, from + size())
      from += part.length
      yield { kind, leads: part }
    }
  }
}

/** The moment of the whole batch, and the newest revision before it. */
type Start = { at: Date; revision: number }

async function startOf(tx: Db): Promise<Start> {
  const [newest] = await tx.select({ revision: max(triage.revision) }).from(triage)
  return { at: new Date(), revision: newest?.revision ?? 0 }
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
    const isSame = status === (before?.status ?? 'new') && assigneeId === (before?.assigneeId ?? null)
    const isOvertaken = (row?.revision ?? 0) > revision
    if (isOutdated || (isOvertaken && !isSame)) {
      conflicts.push({ kind, id, now: before && { ...before, updatedById: row?.updatedBy ?? null } })
    }
    if (isOutdated || isOvertaken || isSame) return []
    return [{ kind, id, before, after: { status, assigneeId, updatedAt: at.getTime() } }]
  })
  const range = await writeTriage(tx, { userId, kind, at, action: 'triage-changed' }, changed)
  return { changed, conflicts, range, since }
}

function add(batch: TriageBatch, { changed, conflicts, range, since }: WrittenPart): void {
  for (const one of changed) batch.changed.push(one)
  for (const one of conflicts) batch.conflicts.push(one)
  if (range) batch.logged = { first: batch.logged?.first ?? range.first, last: range.last, at: since.at }
}
