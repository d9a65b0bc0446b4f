import 'server-only'
import { randomUUID } from 'node:crypto'
import { and, desc, eq, getTableColumns, inArray, lt, sql } from 'drizzle-orm'
import type { ExportColumnName, ExportFormat, ExportHistory, ExportHistoryQuery } from '@/lib/contract/export'
import type { LeadList } from '@/lib/contract/lead'
import type { Connect, Db } from '@/server/db/db'
import type { Activity } from '@/server/activity/activity'
import { exports } from '@/server/db/schema'
import type { Seal } from '@/server/secrets/seal'
import { type ExportReason, openReason, sealReason } from './export-reason'
import { toEntry } from './export-entry'

export type NewLogEntry = {
  userId: string
  list: LeadList
  format: ExportFormat
  columns: ExportColumnName[]
  scope: string
  leadIds: string[]
  reason: ExportReason
}
type Parts = { connect: Connect; clock: () => number; activity: Pick<Activity, 'recordIn'>; seal: Seal }
type Ending = { id: string; userId: string; state: 'finished' | 'broken'; written: number }

/** An export that has not ended by then never will: its process died. `trackedStream` ends every living one before. */
const ABANDONED_MS = 60 * 60_000

/** What left, when, to whom and why; ids only, and the reason sealed. */
export function createExportLog({ connect, clock, activity, seal }: Parts) {
  return {
    /** Writes the entry and its place in the activity log, and answers its id. Nothing may leave before. */
    async begin(entry: NewLogEntry): Promise<string> {
      const id = randomUUID()
      const db = await connect()
      await closeAbandoned(db, clock(), activity)
      const { userId, list, format, columns, leadIds } = entry
      await db.transaction(async (tx) => {
        await insertEntry(tx, { ...entry, id, at: new Date(clock()), seal })
        const details = { export: id, list, format, count: leadIds.length, columns }
        await activity.recordIn(tx, { userId, action: 'export-started', details })
      })
      return id
    },

    async end({ id, userId, state, written }: Ending): Promise<void> {
      const at = new Date(clock())
      const db = await connect()
      await db.transaction(async (tx) => {
        const open = and(eq(exports.id, id), eq(exports.state, 'started'))
        const [ended] = await tx
          .update(exports)
          .set({ state, written, endedAt: at })
          .where(open)
          .returning({ id: exports.id })
        const details = { export: id, state, written }
        if (ended) await activity.recordIn(tx, { userId, action: 'export-ended', details })
      })
    },

    async history(userId: string, { before, limit }: ExportHistoryQuery): Promise<ExportHistory> {
      const db = await connect()
      await closeAbandoned(db, clock(), activity)
      const mine = and(eq(exports.userId, userId), before === undefined ? undefined : lt(exports.at, new Date(before)))
      const { leadIds: _ids, ...columns } = getTableColumns(exports)
      const rows = await db
        .select(columns)
        .from(exports)
        .where(mine)
        .orderBy(desc(exports.at))
        .limit(limit + 1)
      return { exports: rows.slice(0, limit).map((row) => toEntry(row, seal)), hasMore: rows.length > limit }
    },

    leftBefore: async (userId: string, scope: string) => leftBefore(await connect(), seal, userId, scope),
  }
}

/**
 * The leads in the person's finished exports of one scope: from the last whole one on, since those before it are parts of
 * what it holds. Null when there was none.
 */
async function leftBefore(
  db: Db,
  seal: Seal,
  userId: string,
  scope: string,
): Promise<{ ids: ReadonlySet<string>; lastAt: Date } | null> {
  const finished = and(eq(exports.userId, userId), eq(exports.scope, scope), eq(exports.state, 'finished'))
  const { id, at, sealedReason } = exports
  const rows = await db.select({ id, at, sealedReason }).from(exports).where(finished).orderBy(desc(at))
  const [last] = rows
  if (last === undefined) return null
  const lastWhole = rows.findIndex((row) => openReason(row, seal)?.newOnly !== true)
  const counted = rows.slice(0, lastWhole === -1 ? rows.length : lastWhole + 1).map((row) => row.id)
  const parts = await db.select({ leadIds: exports.leadIds }).from(exports).where(inArray(id, counted))
  return { ids: new Set(parts.flatMap(({ leadIds }) => leadIds)), lastAt: last.at }
}

async function insertEntry(tx: Db, entry: NewLogEntry & { id: string; at: Date; seal: Seal }): Promise<void> {
  const { seal, reason, leadIds: ids, ...row } = entry
  // One text for the database to split, which takes it a third of the time of reading an array of 75 000 members.
  const separator = separatorFor(ids)
  await tx.insert(exports).values({
    ...row,
    count: ids.length,
    state: 'started',
    sealedReason: sealReason(entry.id, reason, seal),
    leadIds: sql`string_to_array(${storable(ids.join(separator))}, ${separator})`,
  })
}

/** A character that is in no id; the database looks for one byte twice as fast as for a word. */
function separatorFor(ids: readonly string[]): string {
  const free = ['\n', '\u001f', '\u001e', '\u001d'].find((character) => !ids.some((id) => id.includes(character)))
  return free ?? `\u001f${randomUUID()}\u001f`
}

/** Ids are the service's: one that no database can store must not keep the export from its place in the log. */
function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed()
}

async function closeAbandoned(db: Db, now: number, activity: Parts['activity']): Promise<void> {
  const abandoned = and(eq(exports.state, 'started'), lt(exports.at, new Date(now - ABANDONED_MS)))
  const ended = await db
    .update(exports)
    .set({ state: 'broken', endedAt: new Date(now) })
    .where(abandoned)
    .returning({ id: exports.id, userId: exports.userId })
  const details = (id: string) => ({ export: id, state: 'broken', written: null })
  const entries = ended.map(({ id, userId }) => ({ userId, action: 'export-ended', details: details(id) }) as const)
  await activity.recordIn(db, ...entries)
}
