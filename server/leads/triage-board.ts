import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { gt, sql } from 'drizzle-orm'
import type { LeadKind, LeadStatus } from '@/lib/contract/lead'
import { findFirstAnswer, type TriageEntry } from '@/lib/leads/triage-entry'
import { DAY_MS } from '@/lib/time/durations'
import type { Db } from '@/server/base/database'
import { createInvalidatedCache } from '@/server/base/invalidated-cache'
import { attempts, triage, triageDeletions } from '@/server/base/schema'
import type { BaseServices } from '@/server/base/services'

/** Deletions are kept for this long, so that other instances read them. */
export const DELETION_RETENTION_MS = 7 * DAY_MS
const ROWS_AT_ONCE = 1_000
/** The cache only times the reads, for all lists together. */
const ONLY_KEY = ''

/** Keeps all triage and attempts in memory, and reads only rows of newer revisions. */
export function createTriageBoard({ connect, onUnreachable, now, cacheTtlMs: ttlMs }: BaseServices) {
  const boards: Record<LeadKind, Map<string, TriageEntry>> = {
    'asked-question': new Map(),
    'declaration-of-interest': new Map(),
  }
  /** Every revision up to `final` has been read; of the later ones those in `read`. */
  let revisions = { final: 0, read: new Set<number>() }
  let version = 0
  let runningRead: Promise<void> = Promise.resolve()
  let nextRead: Promise<void> | null = null

  /** Readers share the next read, and never join a running one: it may miss what was committed before their call. */
  const readNext = () => {
    const begin = () => {
      nextRead = null
      runningRead = readNewer()
      return runningRead
    }
    return (nextRead ??= runningRead.then(begin, begin))
  }
  const cache = createInvalidatedCache({ read: readNext, ttlMs, now, maxEntries: 1 })

  async function readNewer() {
    const db = await connect()
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
    if (!sequence?.isNobodyWriting) return
    const final = Number(sequence.newest)
    revisions = { final, read: new Set([...revisions.read].filter((revision) => revision > final)) }
  }

  /** Reads in batches, because PGlite runs in this process and blocks it. */
  async function readRows<Row extends { kind: LeadKind; leadId: string; revision: number }>(
    query: (after: number) => Promise<Row[]>,
    apply: (current: TriageEntry | undefined, row: Row) => TriageEntry | null,
  ) {
    let after = revisions.final
    let isFull: boolean
    do {
      const rows = await query(after)
      for (const row of rows) {
        if (revisions.read.has(row.revision)) continue
        revisions.read.add(row.revision)
        const board = boards[row.kind]
        const entry = apply(board.get(row.leadId), row)
        if (entry === null) board.delete(row.leadId)
        else board.set(row.leadId, entry)
        version += 1
      }
      after = rows.at(-1)?.revision ?? after
      isFull = rows.length === ROWS_AT_ONCE
      if (isFull) await yieldToEventLoop()
    } while (isFull)
  }

  return {
    /** Returns the entries of a list; during a database outage those last read. */
    getEntries: async (kind: LeadKind) => {
      await cache.get(ONLY_KEY).catch(onUnreachable)
      return boards[kind]
    },
    getVersion: () => version,
    invalidate: () => cache.invalidate(ONLY_KEY),
  }
}

const UNDECIDED: TriageEntry = { status: 'new', assigneeId: null, updatedAt: null }

function applyDecision(current: TriageEntry | undefined, row: NewerRow): TriageEntry | null {
  const { status, assigneeId, updatedBy: updatedById, snoozeUntil } = row
  const answer = current?.attempts ? { attempts: current.attempts, answeredAt: current.answeredAt ?? null } : null
  if (status === null) return answer && { ...UNDECIDED, ...answer }
  const updatedAt = row.updatedAt.getTime()
  const statusChangedAt = row.statusAt?.getTime() ?? null
  return { status, assigneeId, updatedAt, statusChangedAt, updatedById, snoozeUntil, ...answer }
}

function applyAttempt(current: TriageEntry | undefined, row: typeof attempts.$inferSelect): TriageEntry | null {
  const { attempts: before = [], answeredAt: _, ...decision } = current ?? UNDECIDED
  const { id, outcome, channel, madeAt, userId } = row
  const after = before.filter((attempt) => attempt.id !== id)
  // An attempt that was undone or erased has neither outcome nor channel.
  if (outcome !== null && channel !== null) after.push({ id, attemptedAt: madeAt.getTime(), userId, channel, outcome })
  if (after.length === 0) return decision.updatedAt === null ? null : decision
  after.sort((a, b) => a.attemptedAt - b.attemptedAt || a.id - b.id)
  return { ...decision, attempts: after, answeredAt: findFirstAnswer(after)?.attemptedAt ?? null }
}

type NewerRow = Awaited<ReturnType<typeof selectNewerDecisions>>[number]

/** Selects written and deleted rows in order of revision; deleted ones have no status. */
function selectNewerDecisions(db: Db, after: number) {
  const newer = sql`(
    select kind, lead_id, status, assignee_id, updated_at, updated_by, status_at, snooze_until, revision
      from ${triage} where revision > ${after} union all
    select kind, lead_id, null, null, deleted_at, null, null, null, revision
      from ${triageDeletions} where revision > ${after}) as newer`
  const columns = {
    kind: sql<LeadKind>`kind`,
    leadId: sql<string>`lead_id`,
    status: sql<LeadStatus | null>`status`,
    assigneeId: sql<string | null>`assignee_id`,
    updatedAt: sql<Date>`updated_at`.mapWith(triage.updatedAt),
    updatedBy: sql<string | null>`updated_by`,
    statusAt: sql<Date | null>`status_at`.mapWith(triage.statusAt),
    snoozeUntil: sql<string | null>`snooze_until`,
    revision: sql<number>`revision`.mapWith(triage.revision),
  }
  return db.select(columns).from(newer).orderBy(columns.revision).limit(ROWS_AT_ONCE)
}
