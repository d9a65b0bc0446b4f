import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { and, eq, inArray, max } from 'drizzle-orm'
import type { LeadKind, LeadRef, LeadStatus } from '@/lib/contract/lead'
import type { TriageEntry } from '@/lib/leads/triage-of'
import type { Db } from '@/server/db/db'
import { triage } from '@/server/db/schema'
import { lockTriage } from './lock-triage'
import { type LoggedBatch, restoreBatch } from './restore-batch'
import { type Places, writeTriage } from './write-triage'

/** What to set; what is absent stays as it is. */
export type NewTriage = { status?: LeadStatus; assigneeId?: string | null }
/** `updatedAt` (ms; null: never): change it only if its triage still is of that moment. */
export type TriageTarget = LeadRef & { updatedAt?: number | null }
export type ChangedTriage = LeadRef & { before: TriageEntry | null; after: TriageEntry }
export type TriageBatch = {
  changed: ChangedTriage[]
  /** Leads that somebody else has changed since, as they are now. */
  conflicts: (LeadRef & { now: TriageEntry | null })[]
  /** Where the activity log has it; null when nothing changed. */
  logged: LoggedBatch | null
}
export type Following = {
  /** Told after each part; the next waits for it. */
  onProgress?: (done: number) => Promise<void> | void
  /** Aborted: what was done is taken back and the call rejects with the reason. */
  signal?: AbortSignal
}

/** PGlite computes in this very process: a part of this size holds everyone else up for some milliseconds. */
const LEADS_AT_ONCE = 250

/**
 * Writes the new triage with its place in the activity log, and answers what really changed. Part by part, each in a
 * transaction of its own, so that nobody waits for seconds; a lead that somebody changes meanwhile is a conflict. What
 * fails in the middle is taken back, and the log tells both.
 */
export async function changeTriage(
  db: Db,
  userId: string,
  leads: readonly TriageTarget[],
  fields: NewTriage,
  { onProgress, signal }: Following = {},
): Promise<TriageBatch> {
  const batch: TriageBatch = { changed: [], conflicts: [], logged: null }
  let start: Start | null = null
  let done = 0
  try {
    for (const part of partsOf(leads)) {
      signal?.throwIfAborted()
      const written = await db.transaction(async (tx) => {
        await lockTriage(tx)
        const since = start ?? (await startOf(tx))
        return { since, ...(await changePart(tx, userId, part, fields, since)) }
      })
      start = written.since
      add(batch, written, written.since.at)
      await onProgress?.((done += part.leads.length))
      await setImmediate()
    }
    signal?.throwIfAborted()
    return batch
  } catch (error) {
    if (batch.logged) await restoreBatch(db, { userId, ...batch.logged, since: new Date(0), isInReach: () => true })
    throw error
  }
}

/** Whether one transaction does it all. */
export function isOnePart(leads: readonly LeadRef[]): boolean {
  return leads.length <= LEADS_AT_ONCE && leads.every(({ kind }) => kind === leads[0]?.kind)
}

function add(batch: TriageBatch, { changed, conflicts, places }: Written, at: Date): void {
  for (const one of changed) batch.changed.push(one)
  for (const one of conflicts) batch.conflicts.push(one)
  if (places) batch.logged = { first: batch.logged?.first ?? places.first, last: places.last, at }
}

/** The moment of the whole batch, and the newest revision before it. */
type Start = { at: Date; revision: number }

async function startOf(tx: Db): Promise<Start> {
  const [newest] = await tx.select({ revision: max(triage.revision) }).from(triage)
  return { at: new Date(), revision: newest?.revision ?? 0 }
}

type Part = { kind: LeadKind; leads: TriageTarget[] }

function* partsOf(leads: readonly TriageTarget[]): Generator<Part> {
  for (const kind of ['asked-question', 'declaration-of-interest'] as const) {
    const ofKind = leads.filter((lead) => lead.kind === kind)
    for (let from = 0; from < ofKind.length; from += LEADS_AT_ONCE) {
      yield { kind, leads: ofKind.slice(from, from + LEADS_AT_ONCE) }
    }
  }
}

type Written = Pick<TriageBatch, 'changed' | 'conflicts'> & { places: Places | null }

async function changePart(
  tx: Db,
  userId: string,
  { kind, leads }: Part,
  fields: NewTriage,
  { at, revision }: Start,
): Promise<Written> {
  const known = await triageNow(tx, kind, leads)
  const conflicts: TriageBatch['conflicts'] = []
  const changed = leads.flatMap(({ id, updatedAt }): ChangedTriage[] => {
    const before = known.get(id)?.entry ?? null
    const isOther = updatedAt !== undefined && updatedAt !== (before?.updatedAt ?? null)
    const status = fields.status ?? before?.status ?? 'new'
    const assigneeId = fields.assigneeId === undefined ? (before?.assigneeId ?? null) : fields.assigneeId
    const isSo = status === (before?.status ?? 'new') && assigneeId === (before?.assigneeId ?? null)
    const isOvertaken = (known.get(id)?.revision ?? 0) > revision
    if (isOther || (isOvertaken && !isSo)) conflicts.push({ kind, id, now: before })
    if (isOther || isOvertaken || isSo) return []
    return [{ kind, id, before, after: { status, assigneeId, updatedAt: at.getTime() } }]
  })
  return { changed, conflicts, places: await writeTriage(tx, { userId, kind, at, action: 'triage-changed' }, changed) }
}

async function triageNow(tx: Db, kind: LeadKind, leads: readonly LeadRef[]) {
  const ids = leads.map(({ id }) => id)
  const rows = await tx
    .select()
    .from(triage)
    .where(and(eq(triage.kind, kind), inArray(triage.leadId, ids)))
  return new Map(
    rows.map(({ leadId, status, assigneeId, updatedAt, revision }) => {
      const entry: TriageEntry = { status, assigneeId, updatedAt: updatedAt.getTime() }
      return [leadId, { entry, revision }]
    }),
  )
}
