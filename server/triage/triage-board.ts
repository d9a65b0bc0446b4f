import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { gt } from 'drizzle-orm'
import type { LeadKind, LeadRef, Triage } from '@/lib/contract/lead'
import type { TriageEntry, TriageOf } from '@/lib/leads/triage-columns'
import type { Connect, Db } from '@/server/db/database'
import { triage } from '@/server/db/schema'
import { userNames } from '@/server/users/people'

export type TriageBoard = {
  /** The triage of one kind of lead, as it stands now. While the database cannot be reached: as last read. */
  current: (kind: LeadKind) => Promise<TriageOf>
  /** The triage of these leads as the contract has it, names of assignees included, and if wanted of who decided last. */
  describe: (
    triageOf: TriageOf,
    ids: readonly string[],
    wanted?: { updatedBy: boolean },
  ) => Promise<(id: string) => Triage>
  /** Another number whenever anything in memory has changed, so that what was computed from it can be cached until then. */
  changes: () => number
  /** Drops rows that were deleted. One that was written anew after `before` (ms) stays. */
  forget: (leads: readonly LeadRef[], before: number) => Promise<void>
}

/** PGlite reads in this very process, and nobody else has a turn meanwhile. */
const ROWS_AT_ONCE = 1_000
const UNTOUCHED: Triage = { status: 'new', assignee: null, updatedAt: null }

/**
 * Keeps every triage row in memory, so that filters need no query per lead, and reads only what is newer than the last
 * revision seen. Writers commit in the order of revisions (`lockTriage`), so nothing is passed over.
 */
export function createTriageBoard(options: { connect: Connect; onUnreachable: (error: unknown) => void }): TriageBoard {
  const boards: Record<LeadKind, Map<string, TriageEntry>> = {
    'asked-question': new Map(),
    'declaration-of-interest': new Map(),
  }
  let revision = 0
  let changes = 0

  async function readNewer(): Promise<void> {
    try {
      const db = await options.connect()
      for (let isMore = true; isMore;) {
        const rows = await newerThan(db, revision)
        for (const row of rows) {
          const { leadId, status, assigneeId, updatedAt, updatedBy } = row
          const entry = { status, assigneeId, updatedAt: updatedAt.getTime(), updatedById: updatedBy }
          boards[row.kind].set(leadId, entry)
          revision = row.revision
          changes += 1
        }
        isMore = rows.length === ROWS_AT_ONCE
        if (isMore) await setImmediate()
      }
    } catch (error) {
      options.onUnreachable(error)
    }
  }

  const namesOf = async (ids: readonly string[]): Promise<ReadonlyMap<string, string>> =>
    ids.length === 0 ? new Map() : userNames(await options.connect(), ids)

  const sync = joined(readNewer)
  return {
    current: async (kind) => {
      await sync()
      return boards[kind]
    },
    describe: async (triageOf, ids, { updatedBy } = { updatedBy: false }) => {
      const names = await namesOf(peopleOf(triageOf, ids, updatedBy)).catch(() => new Map<string, string>())
      return (id) => describeEntry(triageOf.get(id), names, updatedBy)
    },
    changes: () => changes,
    forget: async (leads, before) => {
      // What is being read may still have them.
      await sync()
      for (const { kind, id } of leads) {
        const entry = boards[kind].get(id)
        if (entry && entry.updatedAt <= before) boards[kind].delete(id)
      }
      changes += 1
    },
  }
}

function peopleOf(triageOf: TriageOf, ids: readonly string[], withUpdatedBy: boolean): string[] {
  const entries = ids.map((id) => triageOf.get(id)).filter((entry) => entry !== undefined)
  const people = entries.flatMap(({ assigneeId, updatedById }) => [assigneeId, withUpdatedBy ? updatedById : null])
  return [...new Set(people.filter((id) => id != null))]
}

/** A reader must see what was committed before it asked, so it joins a read that has not begun, never one under way. */
function joined(read: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  let queued: Promise<void> | null = null
  return function sync(): Promise<void> {
    if (running === null) {
      running = read().finally(() => (running = null))
      return running
    }
    queued ??= running.then(() => {
      queued = null
      return sync()
    })
    return queued
  }
}

function newerThan(db: Db, revision: number) {
  return db.select().from(triage).where(gt(triage.revision, revision)).orderBy(triage.revision).limit(ROWS_AT_ONCE)
}

function describeEntry(
  entry: TriageEntry | undefined,
  names: ReadonlyMap<string, string>,
  withUpdatedBy: boolean,
): Triage {
  if (entry === undefined) return UNTOUCHED
  const { status, assigneeId, updatedAt, updatedById = null } = entry
  const person = (id: string | null) => (id === null ? null : { id, name: names.get(id) ?? '' })
  return {
    status,
    assignee: person(assigneeId),
    updatedAt: new Date(updatedAt).toISOString(),
    ...(withUpdatedBy && { updatedBy: person(updatedById) }),
  }
}
