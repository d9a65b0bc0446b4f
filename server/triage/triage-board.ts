import 'server-only'
import { gt, inArray } from 'drizzle-orm'
import type { LeadKind, Triage } from '@/lib/contract/lead'
import type { TriageEntry, TriageOf } from '@/lib/leads/triage-of'
import type { Connect } from '@/server/db/db'
import { triage, users } from '@/server/db/schema'

export type TriageBoard = {
  /** The triage of one kind of lead, as it stands now. While the database cannot be reached: as last read. */
  current: (kind: LeadKind) => Promise<TriageOf>
  /** Tells the triage of these leads in the words of the contract, names of assignees included. */
  describe: (triageOf: TriageOf, ids: readonly string[]) => Promise<(id: string) => Triage>
}

const UNTOUCHED: Triage = { status: 'new', assignee: null, updatedAt: null }

/**
 * Keeps every triage row in memory, so that filters need no query per lead, and reads only what is newer than the last
 * revision seen. Writers commit in the order of revisions (`withTriageLock`), so nothing is passed over.
 */
export function createTriageBoard(options: { connect: Connect; onUnreachable: (error: unknown) => void }): TriageBoard {
  const boards: Record<LeadKind, Map<string, TriageEntry>> = {
    'asked-question': new Map(),
    'declaration-of-interest': new Map(),
  }
  let revision = 0
  let running: Promise<void> | null = null
  let queued: Promise<void> | null = null

  async function readNewer(): Promise<void> {
    try {
      const db = await options.connect()
      const rows = await db.select().from(triage).where(gt(triage.revision, revision)).orderBy(triage.revision)
      for (const row of rows) {
        const { leadId, status, assigneeId, updatedAt } = row
        boards[row.kind].set(leadId, { status, assigneeId, updatedAt: updatedAt.getTime() })
        revision = row.revision
      }
    } catch (error) {
      options.onUnreachable(error)
    }
  }

  /** A reader must see what was committed before it asked, so it joins a read that has not begun, never one under way. */
  function sync(): Promise<void> {
    if (running === null) {
      running = readNewer().finally(() => (running = null))
      return running
    }
    queued ??= running.then(() => {
      queued = null
      return sync()
    })
    return queued
  }

  return {
    current: async (kind) => {
      await sync()
      return boards[kind]
    },
    describe: async (triageOf, ids) => {
      const entries = ids.map((id) => triageOf.get(id)).filter((entry) => entry !== undefined)
      const assigneeIds = [...new Set(entries.map((entry) => entry.assigneeId).filter((id) => id !== null))]
      const names = await namesOf(options.connect, assigneeIds).catch(() => new Map<string, string>())
      return (id) => describeEntry(triageOf.get(id), names)
    },
  }
}

function describeEntry(entry: TriageEntry | undefined, names: ReadonlyMap<string, string>): Triage {
  if (entry === undefined) return UNTOUCHED
  const { status, assigneeId, updatedAt } = entry
  const assignee = assigneeId === null ? null : { id: assigneeId, name: names.get(assigneeId) ?? '' }
  return { status, assignee, updatedAt: new Date(updatedAt).toISOString() }
}

async function namesOf(connect: Connect, ids: string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const db = await connect()
  const rows = await db.select({ id: users.id, name: users.name }).from(users).where(inArray(users.id, ids))
  return new Map(rows.map(({ id, name }) => [id, name]))
}
