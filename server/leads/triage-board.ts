import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { gt, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Attempt, LeadKind, LeadStatus, LeadWork, Triage } from '@/lib/contract/lead'
import type { LeadAnswer } from '@/lib/export/export-cells'
import type { LeadTable } from '@/lib/leads/lead-table'
import type { SelectionContext } from '@/lib/leads/select-rows'
import { type AttemptEntry, findFirstAnswer, type TriageById, type TriageEntry } from '@/lib/leads/triage-columns'
import { createIsEarlier, needsAnswer } from '@/lib/leads/work-rules'
import { findUserNames } from '@/server/access/users'
import { createSerialQueue } from '@/server/base/concurrency-limit'
import type { Db } from '@/server/base/database'
import { createInvalidatedCache, type TtlMs } from '@/server/base/invalidated-cache'
import { createLruCache } from '@/server/base/lru-cache'
import { attempts, triage, triageDeletions } from '@/server/base/schema'
import type { BaseServices } from '@/server/base/services'

const MAX_NAMES = 10_000
const UNTOUCHED: Triage = { status: 'new', assignee: null, updatedAt: null }

type BoardOptions = Pick<BaseServices, 'connect' | 'onUnreachable'> & { now?: () => number; ttlMs?: TtlMs }

/** Keeps all triage and attempts in memory, and reads only rows of newer revisions. */
export function createTriageBoard(options: BoardOptions) {
  const { connect, now = Date.now, ttlMs = () => 0 } = options
  const board = createTriageEntries(options)
  const inOrder = createSerialQueue()
  let readsBegun = 0
  let invalidations = 0
  let lastRead = { startedAt: -Infinity, invalidations }
  const isCurrent = () => lastRead.invalidations === invalidations && now() - lastRead.startedAt < ttlMs()
  const read = async () => {
    readsBegun += 1
    // Time and count are from before the read, because a change during it may be missing.
    const reading = { startedAt: now(), invalidations }
    if (await board.readNewer()) lastRead = reading
  }
  const readUserNames = createNameReader({ connect, ttlMs, now })
  return {
    /** Returns the entries of a list; during a database outage those last read. */
    getEntries: async (kind: LeadKind): Promise<TriageById> => {
      const begunBefore = readsBegun
      // A reader must see everything that was committed before its call, so it joins only a read that begins after it.
      if (!isCurrent()) await inOrder(async () => void (readsBegun === begunBefore && (await read())))
      return board.getBoard(kind)
    },
    invalidate: (): void => void (invalidations += 1),
    /** `updatedBy` adds the last decider. */
    describe: async (entries: TriageById, ids: readonly string[], { updatedBy } = { updatedBy: false }) => {
      const described = ids.map((id) => entries.get(id))
      const deciders = updatedBy ? described.map((entry) => entry?.updatedById) : []
      const names = await readUserNames([...described.map((entry) => entry?.assigneeId), ...deciders])
      const person = (id: string | null) => (id === null ? null : { id, name: names.get(id) ?? '' })
      return (id: string): Triage => {
        const { status, assigneeId, updatedAt, updatedById = null } = entries.get(id) ?? UNDECIDED
        if (updatedAt === null) return UNTOUCHED
        const decided = { status, assignee: person(assigneeId), updatedAt: new Date(updatedAt).toISOString() }
        return updatedBy ? { ...decided, updatedBy: person(updatedById) } : decided
      }
    },
    describeWork: async (
      table: LeadTable,
      ids: readonly string[],
      { triage: entries, work }: Pick<SelectionContext, 'triage' | 'work'>,
    ) => {
      const names = await readUserNames(ids.map((id) => entries.get(id)?.attempts?.at(-1)?.userId))
      const toAttempt = ({ attemptedAt, userId, channel, outcome }: AttemptEntry): Attempt => {
        const by = userId === null ? null : { id: userId, name: names.get(userId) ?? '' }
        return { at: new Date(attemptedAt).toISOString(), by, channel, outcome }
      }
      return (row: number): LeadWork => {
        const entry = entries.get(table.id[row] ?? '')
        const createdAt = table.createdAt[row] ?? 0
        const all = entry?.attempts ?? []
        const last = all.at(-1)
        const isOther = ({ channel, outcome }: AttemptEntry) => channel !== last?.channel || outcome !== last.outcome
        const alike = all.length - 1 - all.findLastIndex(isOther)
        const isWaiting = needsAnswer(entry, work) && !createIsEarlier(table, work)(row)
        return {
          attempts: { count: all.length, last: last ? toAttempt(last) : null, ...(alike > 1 && { alike }) },
          snoozeUntil: entry?.snoozeUntil ?? null,
          waitingSince: isWaiting ? new Date(createdAt).toISOString() : null,
          due: isWaiting ? work.toDueDay(createdAt) : null,
          late: isWaiting && createdAt < work.lateBefore,
        }
      }
    },
    describeAnswers: async (entries: TriageById, ids: readonly string[]) => {
      const firstOf = (id: string) => findFirstAnswer(entries.get(id)?.attempts ?? [])
      const names = await readUserNames(ids.map((id) => firstOf(id)?.userId))
      return (id: string): LeadAnswer => {
        const first = firstOf(id)
        const answeredBy = names.get(first?.userId ?? '') || null
        return { answeredAt: first?.attemptedAt ?? null, answeredBy, attempts: entries.get(id)?.attempts?.length ?? 0 }
      }
    },
    getVersion: board.getVersion,
  }
}

/** A name that cannot be read is the last known one, or empty. */
function createNameReader({ connect, ttlMs, now }: Required<Pick<BoardOptions, 'connect' | 'ttlMs' | 'now'>>) {
  const lastNames = createLruCache<string>(MAX_NAMES)
  const read = async (id: string) => {
    const name = (await findUserNames(await connect(), [id])).get(id) ?? ''
    lastNames.set(id, name)
    return name
  }
  const cache = createInvalidatedCache({ read, ttlMs, now, maxEntries: MAX_NAMES })
  return async (ids: readonly (string | null | undefined)[]): Promise<ReadonlyMap<string, string>> => {
    const wanted = [...new Set(ids.flatMap((id) => id ?? []))]
    const readName = (id: string) => cache.get(id).catch(() => lastNames.get(id) ?? '')
    return new Map(await Promise.all(wanted.map(async (id) => [id, await readName(id)] as const)))
  }
}

function createTriageEntries({ connect, onUnreachable, now = Date.now }: BoardOptions) {
  const boards: Record<LeadKind, Map<string, TriageEntry>> = {
    'asked-question': new Map(),
    'declaration-of-interest': new Map(),
  }
  /** Every revision up to `final` has been read; of the later ones those in `read`. */
  let revisions = { final: 0, read: new Set<number>() }
  let changes = 0
  let readAt = now()

  /** Reads in batches, because PGlite runs in this process and blocks it. */
  async function readRows<Row extends { kind: LeadKind; leadId: string; revision: number }>(
    query: (after: number) => Promise<Row[]>,
    change: (known: TriageEntry | undefined, row: Row) => TriageEntry | null,
  ): Promise<void> {
    for (let after: number | undefined = revisions.final; after !== undefined;) {
      const rows = await query(after)
      for (const row of rows) {
        if (revisions.read.has(row.revision)) continue
        revisions.read.add(row.revision)
        const board = boards[row.kind]
        const entry = change(board.get(row.leadId), row)
        if (entry === null) board.delete(row.leadId)
        else board.set(row.leadId, entry)
        changes += 1
      }
      after = rows.length === ROWS_AT_ONCE ? rows.at(-1)?.revision : undefined
      if (after !== undefined) await setImmediate()
    }
  }

  return {
    getBoard: (kind: LeadKind): TriageById => boards[kind],
    getVersion: () => changes,
    readNewer: async (): Promise<boolean> => {
      try {
        const db = await connect()
        // A machine that slept for days may have missed deletions.
        if (now() - readAt > DELETION_RETENTION_MS / 2) {
          for (const board of Object.values(boards)) board.clear()
          revisions = { final: 0, read: new Set() }
        }
        readAt = now()
        const newest = sql<string>`case when is_called then last_value else 0 end`
        const isNobodyWriting = sql<boolean>`pg_try_advisory_xact_lock(hashtext('intag.triage'))`
        // The columns of a row are computed in order, so the sequence is read before the lock is tried.
        const [sequence] = await db.select({ newest, isNobodyWriting }).from(sql`triage_revision`)
        await readRows((after) => selectNewerDecisions(db, after), applyDecision)
        await readRows((after) => {
          const newer = db.select().from(attempts).where(gt(attempts.revision, after))
          return newer.orderBy(attempts.revision).limit(ROWS_AT_ONCE)
        }, applyAttempt)
        // Revisions are assigned before transactions end, so none is final while any transaction writes.
        const final = sequence?.isNobodyWriting ? Number(sequence.newest) : null
        if (final !== null) revisions = { final, read: new Set([...revisions.read].filter((one) => one > final)) }
        return true
      } catch (error) {
        onUnreachable(error)
        return false
      }
    },
  }
}

const ROWS_AT_ONCE = 1_000

const UNDECIDED: TriageEntry = { status: 'new', assigneeId: null, updatedAt: null }

function applyDecision(known: TriageEntry | undefined, row: NewerRow): TriageEntry | null {
  const { status, assigneeId, updatedBy: updatedById, snoozeUntil } = row
  const own = known?.attempts ? { attempts: known.attempts, answeredAt: known.answeredAt ?? null } : null
  if (status === null) return own && { ...UNDECIDED, ...own }
  const [updatedAt, statusAt] = [row.updatedAt.getTime(), row.statusAt?.getTime() ?? null]
  return { status, assigneeId, updatedAt, statusChangedAt: statusAt, updatedById, snoozeUntil, ...own }
}

function applyAttempt(known: TriageEntry = UNDECIDED, row: typeof attempts.$inferSelect) {
  const { attempts: before = [], answeredAt: _, ...decided } = known
  const { id, outcome, channel, at, userId } = row
  const others = before.filter((one) => one.id !== id)
  const isUncleared = outcome !== null && channel !== null
  const all = isUncleared ? [...others, { id, attemptedAt: at.getTime(), userId, channel, outcome }] : others
  if (all.length === 0) return decided.updatedAt === null ? null : decided
  const inOrder = all.toSorted((a, b) => a.attemptedAt - b.attemptedAt || a.id - b.id)
  return { ...decided, attempts: inOrder, answeredAt: findFirstAnswer(inOrder)?.attemptedAt ?? null }
}

/** How long deletions are kept for other instances to read. */
export const DELETION_RETENTION_MS = 7 * 24 * 3_600_000

type NewerRow = Awaited<ReturnType<typeof selectNewerDecisions>>[number]

/** Selects written and deleted rows in order of revision; deleted ones have no status. */
function selectNewerDecisions(db: Db, after: number) {
  const { kind, leadId, assigneeId, updatedBy, statusAt, snoozeUntil, revision } = triage
  const status = sql<LeadStatus | null>`${triage.status}`.as('status')
  const updatedAt = sql`${triage.updatedAt}`.mapWith(triage.updatedAt).as('updated_at')
  const nullText = sql<string | null>`null::text`
  const columns = { kind, leadId, status, assigneeId, updatedAt, updatedBy, statusAt, snoozeUntil, revision }
  const written = db.select(columns).from(triage).where(gt(revision, after))
  const deleted = db
    .select({
      kind: triageDeletions.kind,
      leadId: triageDeletions.leadId,
      status: sql<LeadStatus | null>`null::text`.as('status'),
      assigneeId: nullText.as('assignee_id'),
      updatedAt: sql`${triageDeletions.deletedAt}`.mapWith(triage.updatedAt).as('updated_at'),
      updatedBy: nullText.as('updated_by'),
      statusAt: sql<Date | null>`null::timestamptz`.mapWith(triage.statusAt).as('status_at'),
      snoozeUntil: nullText.as('snooze_until'),
      revision: triageDeletions.revision,
    })
    .from(triageDeletions)
    .where(gt(triageDeletions.revision, after))
  return unionAll(written, deleted)
    .orderBy(sql`revision`)
    .limit(ROWS_AT_ONCE)
}
