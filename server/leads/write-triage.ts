import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { LeadRef } from '@/lib/contract/lead'
import { isClosed, LEAD_KINDS } from '@/lib/contract/lists'
import type { TriageEntry } from '@/lib/leads/triage-entry'
import { executeCommand, lockUser } from '@/server/access/command'
import type { Viewer } from '@/server/access/viewer'
import { toChunks } from '@/server/base/chunks'
import type { Db } from '@/server/base/database'
import type { Services } from '@/server/base/services'
import { type DecisionFields, type LoggedBatch, readTriageRows, type TriageRow, writeTriageRows } from './triage-rows'

/** A change after `updatedAt` (ms; null: never changed) is a conflict, unless it is the same user's in another tab. */
export type LeadToChange = LeadRef & { updatedAt?: number | null | undefined }

/** Undefined fields stay as they are. */
type TriageFields = { [Name in keyof DecisionFields]?: DecisionFields[Name] | undefined }

type ChangedTriage = LeadRef & { before: TriageEntry | null; after: TriageEntry }
export type TriageBatch = {
  changed: ChangedTriage[]
  conflicts: (LeadRef & { now: TriageEntry | null })[]
  logged: LoggedBatch | null
}

/** Changes leads in one transaction, all or none. Other users can change other leads meanwhile. */
export async function commitTriageChange(
  services: Services,
  viewer: Viewer,
  leads: readonly LeadToChange[],
  fields: TriageFields,
) {
  return executeCommand(services, viewer, 'leads:triage', async (tx, log) => {
    // The rows and their log entries are written by one statement.
    log.skip()
    await lockTriage(tx, viewer, leads.length > 1 ? 'many' : 'one')
    return applyTriageChange(tx, viewer.id, leads, fields)
  })
}

/** Limits the leads of one statement, so that other requests are served between two. */
export const LEADS_AT_ONCE = 1_000

/** Changes leads within a transaction, after `lockTriage`. */
export async function applyTriageChange(tx: Db, userId: string, leads: readonly LeadToChange[], fields: TriageFields) {
  const decidedAt = new Date()
  const batch: TriageBatch = { changed: [], conflicts: [], logged: null }
  for (const kind of LEAD_KINDS) {
    // In the order of the index, a change of many leads takes two thirds of the time.
    const orderedLeads = leads.filter((lead) => lead.kind === kind).toSorted((a, b) => (a.id < b.id ? -1 : 1))
    for (const chunk of toChunks(orderedLeads, LEADS_AT_ONCE)) {
      const ids = chunk.map(({ id }) => id)
      const rows = await readTriageRows(tx, kind, ids)
      const changes: (ChangedTriage & { revision: number | null })[] = []
      for (const { id, updatedAt } of chunk) {
        const row = rows.get(id)
        const before = toEntry(row)
        const current = before ?? UNTOUCHED
        const after = { ...applyFields(current, fields), updatedAt: decidedAt.getTime() }
        const isByOther = row !== undefined && row.updatedBy !== userId
        if (isByOther && updatedAt !== undefined && updatedAt !== before?.updatedAt)
          batch.conflicts.push({ kind, id, now: before })
        else if (DECISION_FIELDS.some((field) => current[field] !== after[field]))
          changes.push({ kind, id, before, after, revision: row?.revision ?? null })
      }
      const write = { userId, kind, decidedAt, action: 'triage-changed', changes } as const
      const { logged, missedIds } = await writeTriageRows(tx, write)
      if (logged) batch.logged = { ...logged, first: batch.logged?.first ?? logged.first }
      for (const { revision: _, ...change } of changes) if (!missedIds.has(change.id)) batch.changed.push(change)
      const currentRows = await readTriageRows(tx, kind, [...missedIds])
      for (const id of missedIds) batch.conflicts.push({ kind, id, now: toEntry(currentRows.get(id)) })
      await yieldToEventLoop()
    }
  }
  return batch
}

const DECISION_FIELDS = ['status', 'assigneeId', 'snoozeUntil'] as const
const UNTOUCHED: Required<DecisionFields> = { status: 'new', assigneeId: null, snoozeUntil: null }

function applyFields(current: Required<DecisionFields>, fields: TriageFields) {
  const { status = current.status, assigneeId = current.assigneeId, snoozeUntil = current.snoozeUntil } = fields
  // A closed lead never returns to the list by itself.
  return { status, assigneeId, snoozeUntil: isClosed(status) ? null : snoozeUntil }
}

function toEntry(row: TriageRow | undefined) {
  if (row === undefined) return null
  const { status, assigneeId, updatedAt, updatedBy: updatedById, snoozeUntil } = row
  return { status, assigneeId, updatedAt: updatedAt.getTime(), updatedById, snoozeUntil }
}

/**
 * Must run first in each transaction that writes triage or attempts: the shared lock tells readers that revisions are
 * under way. Changes of one user take turns, and so do those of many leads, which could wait for each other's rows.
 */
export async function lockTriage(tx: Db, user: Pick<Viewer, 'id'> | null, leads: 'one' | 'many') {
  await tx.execute(sql`select pg_advisory_xact_lock_shared(hashtext('intag.triage'))`)
  if (leads === 'many') {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('intag.triage.many'))`)
    // The planner would otherwise read and hash the whole of a table that just grew.
    for (const join of ['hashjoin', 'mergejoin', 'material'])
      await tx.execute(sql.raw(`set local enable_${join} = off`))
    await tx.execute(sql`set local random_page_cost = 1`)
  }
  if (user !== null) await lockUser(tx, user)
}
