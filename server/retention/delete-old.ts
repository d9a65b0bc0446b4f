import 'server-only'
import { eq, inArray, lt } from 'drizzle-orm'
import { addDays, stockholmDay } from '@/lib/time/stockholm-day'
import type { Connect, Db } from '@/server/db/db'
import { activity, exports, notes, settings } from '@/server/db/schema'
import { monthsBefore } from './months-before'
import { takeTurn } from './take-turn'

const DONE = 'old-deleted'
const ROWS_AT_ONCE = 2_000
const NIGHT_BEGINS_HOUR_MS = 2 * 3_600_000

/**
 * Once a night, from two o'clock in Stockholm on, deletes notes, log entries and exports older than so many months; a night
 * that was missed is made up for. Answers whether this was the time.
 */
export async function deleteOld(connect: Connect, { now, months }: { now: number; months: number }): Promise<boolean> {
  const night = stockholmDay(now - NIGHT_BEGINS_HOUR_MS)
  const db = await connect()
  const [row] = await db.select({ value: settings.value }).from(settings).where(eq(settings.name, DONE))
  if (typeof row?.value === 'string' && row.value >= night && row.value <= addDays(night, 1)) return false
  const before = monthsBefore(now, months)
  for (const deleteSome of [oldNotes, oldActivity, oldExports]) {
    for (let count: number | null = ROWS_AT_ONCE; count === ROWS_AT_ONCE;) {
      count = await takeTurn(connect, (tx) => deleteSome(tx, before))
      if (count === null) return false
    }
  }
  const done = { value: night, updatedAt: new Date(now) }
  await db
    .insert(settings)
    .values({ name: DONE, ...done })
    .onConflictDoUpdate({ target: settings.name, set: done })
  return true
}

async function oldNotes(tx: Db, before: Date): Promise<number> {
  const some = tx.select({ id: notes.id }).from(notes).where(lt(notes.createdAt, before)).limit(ROWS_AT_ONCE)
  return (await tx.delete(notes).where(inArray(notes.id, some)).returning({ id: notes.id })).length
}

async function oldActivity(tx: Db, before: Date): Promise<number> {
  const some = tx.select({ id: activity.id }).from(activity).where(lt(activity.at, before)).limit(ROWS_AT_ONCE)
  return (await tx.delete(activity).where(inArray(activity.id, some)).returning({ id: activity.id })).length
}

async function oldExports(tx: Db, before: Date): Promise<number> {
  const some = tx.select({ id: exports.id }).from(exports).where(lt(exports.at, before)).limit(ROWS_AT_ONCE)
  return (await tx.delete(exports).where(inArray(exports.id, some)).returning({ id: exports.id })).length
}
