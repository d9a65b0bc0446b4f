import 'server-only'
import { and, eq, inArray, isNotNull, like, lt, lte, ne, not, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { LeadKind } from '@/lib/contract/lead'
import { addDays, stockholmDay } from '@/lib/time/stockholm'
import type { Connect, Db } from '@/server/base/database'
import { shortAddress } from '@/server/access/address'
import { sessions } from '@/server/base/access-schema'
import {
  activity,
  attempts,
  exports,
  invitations,
  leadAbsences,
  mails,
  notes,
  savedViews,
  triage,
  triageDeletions,
} from '@/server/base/schema'
import { MAIL_KEYS_KEPT_MS } from '@/server/access/mail-quota'
import { eraseFromViews } from '@/server/leads/saved-views'
import { withLock } from '@/server/base/every'
import type { Seal } from '@/server/base/seal'
import { readSetting, writeSetting } from '@/server/access/settings'
import { deleteEmptyAttempts, emptyAttempts } from '@/server/leads/attempts'
import { DELETIONS_KEPT_MS } from '@/server/leads/triage-board'
import { lockTriage } from '@/server/leads/write-triage'

export const RETENTION = 'retention'
const DAY_MS = 24 * 3_600_000
export const ABSENT_MS = 7 * DAY_MS
const LEADS_AT_ONCE = 500

/** Deletes what was added to leads that have been missing for seven days; returns how many. The log stays. */
export async function purgeAbsent(connect: Connect, seal: Seal, kind: LeadKind, now: number): Promise<number> {
  for (let count = 0; ;) {
    const deleted = await withLock(connect, RETENTION, async (tx) => {
      const isDue = and(eq(leadAbsences.kind, kind), lte(leadAbsences.missingSince, new Date(now - ABSENT_MS)))
      const due = await tx.select().from(leadAbsences).where(isDue).limit(LEADS_AT_ONCE)
      const ids = due.map(({ leadId }) => leadId)
      if (ids.length === 0) return ids
      await deleteAdded(tx, kind, ids, now)
      const leads = ids.map((id) => ({ kind, id }))
      await eraseFromViews(tx, seal, leads, () => false)
      return ids
    })
    count += deleted?.length ?? 0
    if (deleted === null || deleted.length < LEADS_AT_ONCE) return count
  }
}

/** Within a transaction: deletes what was added to leads, except views and exports; returns the number of rows. */
export async function deleteAdded(tx: Db, kind: LeadKind, ids: string[], now: number) {
  await lockTriage(tx, null, 'many')
  const deleted = async (rows: typeof triage | typeof notes | typeof leadAbsences) => {
    const ofLeads = and(eq(rows.kind, kind), inArray(rows.leadId, ids))
    return (await tx.delete(rows).where(ofLeads).returning({ id: rows.leadId })).length
  }
  const tried = and(eq(attempts.kind, kind), inArray(attempts.leadId, ids))
  await deleted(leadAbsences)
  return {
    triage: await deleted(triage),
    attempts: await emptyAttempts(tx, tried, new Date(now)),
    notes: await deleted(notes),
  }
}

const LAST_NIGHT = 'old-deleted'
const NIGHT_BEGINS_HOUR_MS = 2 * 3_600_000

/** Once a night, from two in Stockholm; a missed night is made up for. Returns whether it ran. */
export async function purgeOld(connect: Connect, { now, months }: { now: number; months: number }): Promise<boolean> {
  const night = stockholmDay(now - NIGHT_BEGINS_HOUR_MS)
  const db = await connect()
  const done = await readSetting(db, LAST_NIGHT)
  if (typeof done === 'string' && done >= night && done <= addDays(night, 1)) return false
  const before = monthsBefore(now, months)
  for (const [deleteSome, limit] of tasks) {
    for (let count: number | null = limit; count === limit;) {
      count = await withLock(connect, RETENTION, (tx) => deleteSome(tx, before, now))
      if (count === null) return false
    }
  }
  await writeSetting(db, LAST_NIGHT, night, now)
  return true
}

const ROWS_AT_ONCE = 2_000

function deleteOlder(table: PgTable, id: PgColumn, isOld: (before: Date) => SQL | undefined) {
  return async (tx: Db, before: Date): Promise<number> => {
    const some = tx.select({ id }).from(table).where(isOld(before)).limit(ROWS_AT_ONCE)
    return (await tx.delete(table).where(inArray(id, some)).returning({ id })).length
  }
}

async function deleteOldAttempts(tx: Db, before: Date, now: number): Promise<number> {
  await lockTriage(tx, null, 'many')
  const old = and(lt(attempts.at, before), isNotNull(attempts.outcome))
  const some = tx.select({ id: attempts.id }).from(attempts).where(old).limit(ROWS_AT_ONCE)
  return emptyAttempts(tx, inArray(attempts.id, some), new Date(now))
}

/** Long enough to see where one was signed in last month. */
export const SESSION_KEPT_MS = 30 * DAY_MS

/** Kept for days, not months. Deletions stay until every instance has read them. */
async function deleteExpired(tx: Db, _: Date, now: number): Promise<number> {
  const ago = (ms: number) => new Date(now - ms)
  await tx.delete(sessions).where(lt(sessions.lastUsedAt, ago(SESSION_KEPT_MS)))
  await tx.delete(invitations).where(lt(invitations.expiresAt, ago(0)))
  await deleteEmptyAttempts(tx, ago(DELETIONS_KEPT_MS))
  await tx.delete(triageDeletions).where(lt(triageDeletions.deletedAt, ago(DELETIONS_KEPT_MS)))
  await tx.delete(mails).where(lt(mails.at, ago(MAIL_KEYS_KEPT_MS)))
  return 0
}

export const ADDRESS_MS = 90 * DAY_MS
const ADDRESSES_AT_ONCE = 100

/** After that only the network stays. */
async function shortenAddresses(tx: Db, _: Date, now: number): Promise<number> {
  const { at, address } = activity
  const isWhole = and(lt(at, new Date(now - ADDRESS_MS)), not(like(address, '%/%')), ne(address, 'unknown'))
  const found = await tx.selectDistinct({ address }).from(activity).where(isWhole).limit(ADDRESSES_AT_ONCE)
  const networks = found.map(({ address: whole }) => ({ whole, network: shortAddress(whole ?? '') }))
  // One scan of the log for all of them: it is long, and PGlite blocks this process.
  await tx.execute(sql`update ${activity} set address = given.network
    from json_to_recordset(${JSON.stringify(networks)}::json) as given(whole text, network text)
    where ${isWhole} and ${address} = given.whole`)
  return found.length
}

/** Fewer than the limit were the last. */
const tasks = [
  [deleteOlder(notes, notes.id, (before) => lt(notes.createdAt, before)), ROWS_AT_ONCE],
  [deleteOldAttempts, ROWS_AT_ONCE],
  [deleteOlder(activity, activity.id, (before) => lt(activity.at, before)), ROWS_AT_ONCE],
  [deleteOlder(exports, exports.id, (before) => lt(exports.at, before)), ROWS_AT_ONCE],
  [deleteOlder(savedViews, savedViews.id, (before) => lt(savedViews.createdAt, before)), ROWS_AT_ONCE],
  [deleteExpired, 1],
  [shortenAddresses, ADDRESSES_AT_ONCE],
] as const

/** The same day of an earlier month, or that month's last day. */
export function monthsBefore(now: number, months: number): Date {
  const moment = new Date(now)
  const day = moment.getUTCDate()
  moment.setUTCDate(1)
  moment.setUTCMonth(moment.getUTCMonth() - months)
  const last = new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + 1, 0)).getUTCDate()
  moment.setUTCDate(Math.min(day, last))
  return moment
}
