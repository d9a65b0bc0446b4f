import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { gt, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { LeadKind, LeadStatus, Triage } from '@/lib/contract/lead'
import type { TriageEntry, TriageOf } from '@/lib/leads/triage-columns'
import type { Connect, Db } from '@/server/db/database'
import { triage, triageDeletions } from '@/server/db/schema'
import { createToldCache, type HoldsMs } from '@/server/db/told-cache'
import { createRecent } from '@/server/recent'
import { userNames } from '@/server/users/people'

export type TriageBoard = {
  /** The triage of one kind of lead, as it stands now. While the database cannot be reached: as last read. */
  current: (kind: LeadKind) => Promise<TriageOf>
  /**
   * The triage of these leads as the contract has it, names of assignees included, and if wanted of who decided last. While
   * names cannot be read: as last read, else empty.
   */
  describe: (
    triageOf: TriageOf,
    ids: readonly string[],
    wanted?: { updatedBy: boolean },
  ) => Promise<(id: string) => Triage>
  /** Another number whenever anything in memory has changed, so that what was computed from it can be cached until then. */
  changes: () => number
  /** What is in the database may be newer than what is in memory. */
  outdate: () => void
}

/** PGlite reads in this very process, and nobody else has a turn meanwhile. */
const ROWS_AT_ONCE = 1_000
const MOST_NAMES = 10_000
const UNTOUCHED: Triage = { status: 'new', assignee: null, updatedAt: null }

type BoardOptions = {
  connect: Connect
  onUnreachable: (error: unknown) => void
  now?: () => number
  /** Without it, or while it is 0, every reader looks whether there is something newer. */
  holdsMs?: HoldsMs
}

/**
 * Keeps every triage row in memory, so that filters need no query per lead, and reads only what is newer than the last
 * revision seen, when it was told that there is something (`outdate`). Writers commit in the order of revisions
 * (`lockTriage`), and so does whoever deletes (a trigger), so nothing is passed over.
 */
export function createTriageBoard(options: BoardOptions): TriageBoard {
  const { now = Date.now, holdsMs = () => 0 } = options
  const entries = createEntries(options)
  let told = 0
  let lastRead = { at: -Infinity, told }
  const isCurrent = () => lastRead.told === told && now() - lastRead.at < holdsMs()
  const sync = joined(async () => {
    // What is told while it is read may not be in it.
    const reading = { at: now(), told }
    if (await entries.readNewer()) lastRead = reading
  })
  const namesOf = createNames(options)
  return {
    current: async (kind) => {
      if (!isCurrent()) await sync()
      return entries.of(kind)
    },
    outdate: () => {
      told += 1
    },
    describe: async (triageOf, ids, { updatedBy } = { updatedBy: false }) => {
      const known = await namesOf(peopleOf(triageOf, ids, updatedBy))
      return (id) => describeEntry(triageOf.get(id), known, updatedBy)
    },
    changes: entries.changes,
  }
}

/** People's names. While they cannot be read: as last read; who was never read is missing. */
function createNames({ connect, now = Date.now, holdsMs = () => 0 }: BoardOptions) {
  const lastRead = createRecent<string>(MOST_NAMES)
  const read = async (id: string) => {
    const name = (await userNames(await connect(), [id])).get(id) ?? ''
    lastRead.set(id, name)
    return name
  }
  const names = createToldCache({ read, holdsMs, now, most: MOST_NAMES })
  return async (ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const nameOf = (id: string) => names.get(id).catch(() => lastRead.get(id) ?? '')
    return new Map(await Promise.all(ids.map(async (id) => [id, await nameOf(id)] as const)))
  }
}

/** Every triage row in memory, as far as it was read. */
function createEntries({ connect, onUnreachable, now = Date.now }: BoardOptions) {
  const boards: Record<LeadKind, Map<string, TriageEntry>> = {
    'asked-question': new Map(),
    'declaration-of-interest': new Map(),
  }
  let revision = 0
  let changes = 0
  let readAt = now()
  const keep = (row: NewerRow) => {
    const { kind, leadId, status, assigneeId, updatedAt, updatedBy } = row
    if (status === null) boards[kind].delete(leadId)
    else boards[kind].set(leadId, { status, assigneeId, updatedAt: updatedAt.getTime(), updatedById: updatedBy })
    revision = row.revision
    changes += 1
  }
  const startAnew = () => {
    for (const board of Object.values(boards)) board.clear()
    revision = 0
    changes += 1
  }
  return {
    of: (kind: LeadKind): TriageOf => boards[kind],
    changes: () => changes,
    /** Whether it could be read. */
    readNewer: async (): Promise<boolean> => {
      try {
        const db = await connect()
        // Whoever slept for days, as a virtual machine may, can have missed what is told no longer.
        if (now() - readAt > DELETIONS_TOLD_MS / 2) startAnew()
        for (let isMore = true; isMore;) {
          readAt = now()
          const rows = await newerThan(db, revision)
          for (const row of rows) keep(row)
          isMore = rows.length === ROWS_AT_ONCE
          if (isMore) await setImmediate()
        }
        return true
      } catch (error) {
        onUnreachable(error)
        return false
      }
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

/** How long it is told that a row was deleted. */
export const DELETIONS_TOLD_MS = 7 * 24 * 3_600_000

type NewerRow = Awaited<ReturnType<typeof newerThan>>[number]

/** Rows that were written, and those that were deleted, without a status, in the order in which it happened. */
function newerThan(db: Db, revision: number) {
  const { kind, leadId, assigneeId, updatedBy } = triage
  const status = sql<LeadStatus | null>`${triage.status}`.as('status')
  const updatedAt = sql`${triage.updatedAt}`.mapWith(triage.updatedAt).as('updated_at')
  const nothing = sql<string | null>`null::text`
  const written = db
    .select({ kind, leadId, status, assigneeId, updatedAt, updatedBy, revision: triage.revision })
    .from(triage)
    .where(gt(triage.revision, revision))
  const deleted = db
    .select({
      kind: triageDeletions.kind,
      leadId: triageDeletions.leadId,
      status: sql<LeadStatus | null>`null::text`.as('status'),
      assigneeId: nothing.as('assignee_id'),
      updatedAt: sql`${triageDeletions.deletedAt}`.mapWith(triage.updatedAt).as('updated_at'),
      updatedBy: nothing.as('updated_by'),
      revision: triageDeletions.revision,
    })
    .from(triageDeletions)
    .where(gt(triageDeletions.revision, revision))
  return unionAll(written, deleted)
    .orderBy(sql`revision`)
    .limit(ROWS_AT_ONCE)
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
