import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { gt, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { LeadKind, LeadStatus } from '@/lib/contract/lead'
import { firstAnswer, type TriageEntry, type TriageOf } from '@/lib/leads/triage-columns'
import type { Connect, Db } from '@/server/db/database'
import { attempts, triage, triageDeletions } from '@/server/db/schema'

export function createTriageEntries({ connect, onUnreachable, now = Date.now }: EntryOptions) {
  const boards: Record<LeadKind, Map<string, TriageEntry>> = {
    'asked-question': new Map(),
    'declaration-of-interest': new Map(),
  }
  let read = NOTHING_READ
  let changes = 0
  let readAt = now()
  const put = (kind: LeadKind, leadId: string, entry: TriageEntry | null) => {
    if (entry === null) boards[kind].delete(leadId)
    else boards[kind].set(leadId, entry)
    changes += 1
  }
  const startAgain = () => {
    for (const board of Object.values(boards)) board.clear()
    read = NOTHING_READ
  }
  const readNewer = async (db: Db) => {
    await inParts(
      () => newerThan(db, read.triage),
      (row) => {
        put(row.kind, row.leadId, withDecision(boards[row.kind].get(row.leadId), row))
        read = { ...read, triage: row.revision }
      },
    )
    await inParts(
      () => newerAttempts(db, read.attempts),
      (row) => {
        put(row.kind, row.leadId, withAttempt(boards[row.kind].get(row.leadId), row))
        read = { ...read, attempts: row.revision }
      },
    )
  }
  return {
    of: (kind: LeadKind): TriageOf => boards[kind],
    changes: () => changes,
    readNewer: async (): Promise<boolean> => {
      try {
        const db = await connect()
        // A machine that slept for days can have missed deletions.
        if (now() - readAt > DELETIONS_TOLD_MS / 2) startAgain()
        readAt = now()
        await readNewer(db)
        return true
      } catch (error) {
        onUnreachable(error)
        return false
      }
    },
  }
}

async function inParts<Row>(some: () => Promise<Row[]>, keep: (row: Row) => void): Promise<void> {
  for (let isMore = true; isMore;) {
    const rows = await some()
    for (const row of rows) keep(row)
    isMore = rows.length === ROWS_AT_ONCE
    if (isMore) await setImmediate()
  }
}

type EntryOptions = { connect: Connect; onUnreachable: (error: unknown) => void; now?: (() => number) | undefined }

const NOTHING_READ = { triage: 0, attempts: 0 }
/** PGlite reads in this very process, and nobody else has a turn meanwhile. */
const ROWS_AT_ONCE = 1_000

const UNDECIDED: TriageEntry = { status: 'new', assigneeId: null, updatedAt: null }

function withDecision(known: TriageEntry | undefined, row: NewerRow): TriageEntry | null {
  const { status, assigneeId, updatedBy: updatedById, snoozeUntil } = row
  const done = known?.attempts ? { attempts: known.attempts, answeredAt: known.answeredAt ?? null } : null
  if (status === null) return done && { ...UNDECIDED, ...done }
  const [updatedAt, statusAt] = [row.updatedAt.getTime(), row.statusAt?.getTime() ?? null]
  return { status, assigneeId, updatedAt, statusAt, updatedById, snoozeUntil, ...done }
}

function withAttempt(known: TriageEntry = UNDECIDED, { id, outcome, channel, at, userId }: AttemptRow) {
  const { attempts: before = [], answeredAt: _, ...decided } = known
  const others = before.filter((one) => one.id !== id)
  const isThere = outcome !== null && channel !== null
  const all = isThere ? [...others, { id, at: at.getTime(), userId, channel, outcome }] : others
  if (all.length === 0) return decided.updatedAt === null ? null : decided
  const inOrder = all.toSorted((a, b) => a.at - b.at || a.id - b.id)
  return { ...decided, attempts: inOrder, answeredAt: firstAnswer(inOrder)?.at ?? null }
}

/** How long deletions are kept for instances to read. */
export const DELETIONS_TOLD_MS = 7 * 24 * 3_600_000

type NewerRow = Awaited<ReturnType<typeof newerThan>>[number]

/** Rows that were written, and those that were deleted, without a status, in the order in which it happened. */
function newerThan(db: Db, revision: number) {
  const { kind, leadId, assigneeId, updatedBy, statusAt, snoozeUntil } = triage
  const status = sql<LeadStatus | null>`${triage.status}`.as('status')
  const updatedAt = sql`${triage.updatedAt}`.mapWith(triage.updatedAt).as('updated_at')
  const nothing = sql<string | null>`null::text`
  const columns = { kind, leadId, status, assigneeId, updatedAt, updatedBy, statusAt, snoozeUntil }
  const written = db
    .select({ ...columns, revision: triage.revision })
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
      statusAt: sql<Date | null>`null::timestamptz`.mapWith(triage.statusAt).as('status_at'),
      snoozeUntil: nothing.as('snooze_until'),
      revision: triageDeletions.revision,
    })
    .from(triageDeletions)
    .where(gt(triageDeletions.revision, revision))
  return unionAll(written, deleted)
    .orderBy(sql`revision`)
    .limit(ROWS_AT_ONCE)
}

type AttemptRow = Awaited<ReturnType<typeof newerAttempts>>[number]

function newerAttempts(db: Db, revision: number) {
  const newer = db.select().from(attempts).where(gt(attempts.revision, revision))
  return newer.orderBy(attempts.revision).limit(ROWS_AT_ONCE)
}
