import 'server-only'
import { and, eq, inArray, lt, lte, sql } from 'drizzle-orm'
import type { LeadKind } from '@/lib/contract/lead'
import { addDays, stockholmDay } from '@/lib/time/stockholm'
import { sessions } from '@/server/db/access-schema'
import type { Connect, Db } from '@/server/db/database'
import { activity, exports, leadAbsences, notes, triage } from '@/server/db/schema'
import { readSetting, writeSetting } from '@/server/settings/settings'
import { lockTriage } from '@/server/triage/write-triage'

const ABSENT_MS = 7 * 24 * 3_600_000
const LEADS_AT_ONCE = 500

/**
 * Deletes triage and notes of leads that have been missing for seven days, and answers whose. The log stays: it is about what
 * we did and names nobody.
 */
export async function purgeAbsent(connect: Connect, kind: LeadKind, now: number): Promise<string[]> {
  const purged: string[] = []
  for (;;) {
    const ids = await withRetentionLock(connect, async (tx) => {
      await lockTriage(tx)
      const due = await tx
        .select({ id: leadAbsences.leadId })
        .from(leadAbsences)
        .where(and(eq(leadAbsences.kind, kind), lte(leadAbsences.missingSince, new Date(now - ABSENT_MS))))
        .limit(LEADS_AT_ONCE)
      const gone = due.map(({ id }) => id)
      if (gone.length === 0) return gone
      await tx.delete(triage).where(and(eq(triage.kind, kind), inArray(triage.leadId, gone)))
      await tx.delete(notes).where(and(eq(notes.kind, kind), inArray(notes.leadId, gone)))
      await tx.delete(leadAbsences).where(and(eq(leadAbsences.kind, kind), inArray(leadAbsences.leadId, gone)))
      return gone
    })
    purged.push(...(ids ?? []))
    if (ids === null || ids.length < LEADS_AT_ONCE) return purged
  }
}

/** The setting that holds the night when old rows were deleted last. */
const LAST_NIGHT = 'old-deleted'
const ROWS_AT_ONCE = 2_000
const NIGHT_BEGINS_HOUR_MS = 2 * 3_600_000

/**
 * Once a night, from two o'clock in Stockholm on, deletes notes, log entries and exports older than so many months; a night
 * that was missed is made up for. Answers whether this was the time.
 */
export async function purgeOld(connect: Connect, { now, months }: { now: number; months: number }): Promise<boolean> {
  const night = stockholmDay(now - NIGHT_BEGINS_HOUR_MS)
  const db = await connect()
  const done = await readSetting(db, LAST_NIGHT)
  if (typeof done === 'string' && done >= night && done <= addDays(night, 1)) return false
  const before = monthsBefore(now, months)
  for (const deleteSome of [oldNotes, oldActivity, oldExports]) {
    for (let count: number | null = ROWS_AT_ONCE; count === ROWS_AT_ONCE;) {
      count = await withRetentionLock(connect, (tx) => deleteSome(tx, before))
      if (count === null) return false
    }
  }
  await withRetentionLock(connect, (tx) => oldSessions(tx, new Date(now - SESSION_KEPT_MS)))
  await writeSetting(db, LAST_NIGHT, night, now)
  return true
}

/** Long enough for somebody to see where they were signed in last month. */
const SESSION_KEPT_MS = 30 * 24 * 3_600_000

async function oldSessions(tx: Db, before: Date): Promise<void> {
  await tx.delete(sessions).where(lt(sessions.lastUsedAt, before))
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

/** The same day of the month so many months earlier; its last day where there is no such day. */
function monthsBefore(now: number, months: number): Date {
  const moment = new Date(now)
  const day = moment.getUTCDate()
  moment.setUTCDate(1)
  moment.setUTCMonth(moment.getUTCMonth() - months)
  const last = new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1, 0)).getUTCDate()
  moment.setUTCDate(Math.min(day, last))
  return moment
}

/** Runs it in a transaction of its own that holds the lock of all instances; null when another one holds it now. */
export async function withRetentionLock<T>(connect: Connect, run: (tx: Db) => Promise<T>): Promise<T | null> {
  const db = await connect()
  return db.transaction(async (tx) => {
    const [lock] = await tx
      .select({ isMine: sql<boolean>`pg_try_advisory_xact_lock(hashtext('intag.retention'))` })
      .from(sql`(values (1)) as once`)
    return lock?.isMine === true ? run(tx) : null
  })
}
