import 'server-only'
import { and, desc, eq, gte, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import type { LeadKind } from '@/lib/contract/lead'
import type { ReadingHour, ReadingLimits } from '@/lib/contract/reading'
import type { Db } from '@/server/db/database'
import { readingHours } from '@/server/db/access-schema'
import { activity } from '@/server/db/schema'
import { placeOf } from '@/server/db/sealed-columns'
import type { Seal } from '@/server/seal'
import type { Activity } from './activity'

export const HOUR_MS = 3_600_000
/** How long a question to the reader stays open, and the administrators are told of it. */
const TOLD_MS = 7 * 24 * HOUR_MS
/** Whoever comes back to a lead within this time has it open still. */
export const SAME_OPENING_MS = 10 * 60_000

/** What is added to an hour of somebody; `hour` is its beginning, ms. */
export type Counted = {
  userId: string
  hour: number
  listed: number
  opened: number
  searches: number
  /** The largest export among it: of how many leads, and what for. */
  largest?: { count: number; purpose: string } | undefined
}
/** That somebody opened a lead, at a moment in ms. */
export type Opening = { userId: string; at: number; kind: LeadKind; id: string; address: string | null }

/** Adds to the hours, in one statement however many readers there are; what several instances counted adds up. */
export async function addToHours(tx: Db, counted: readonly Counted[]): Promise<void> {
  if (counted.length === 0) return
  const rows = counted.map(({ userId: user_id, hour, listed, opened, searches }) => ({
    user_id,
    hour: new Date(hour).toISOString(),
    listed,
    opened,
    searches,
  }))
  await tx.execute(sql`
    insert into ${readingHours} (user_id, hour, listed, opened, searches)
    select given.user_id, given.hour, sum(given.listed), sum(given.opened), sum(given.searches) from json_to_recordset(${JSON.stringify(rows)}::json)
      as given(user_id text, hour timestamptz, listed int, opened int, searches int)
      join users on users.id = given.user_id group by given.user_id, given.hour order by given.user_id, given.hour
    on conflict (user_id, hour) do update set listed = ${readingHours.listed} + excluded.listed,
      opened = ${readingHours.opened} + excluded.opened, searches = ${readingHours.searches} + excluded.searches`)
}

/** Enters openings in the log, but for those that another instance has entered a moment ago. */
export async function enterOpenings(tx: Db, openings: readonly Opening[]): Promise<void> {
  if (openings.length === 0) return
  const rows = openings.map(({ userId, at, ...lead }) => ({ user_id: userId, at: new Date(at).toISOString(), ...lead }))
  await tx.execute(sql`
    insert into ${activity} (at, user_id, action, lead_kind, lead_id, address)
    select given.at, given.user_id, 'lead-opened', given.kind, given.id, given.address
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as given(user_id text, at timestamptz, kind text, id text, address text)
    where not exists (
      select 1 from ${activity} known where known.user_id = given.user_id and known.action = 'lead-opened'
        and known.at > given.at - ${`${SAME_OPENING_MS} ms`}::interval
        and known.lead_kind = given.kind and known.lead_id = given.id)
    order by given.at`)
}

/**
 * Marks the hours of these readers that have become more than usual, each once, and enters that in the log. Where one export
 * alone is more, its purpose says why, and nobody is asked a second time.
 */
export async function markUnusual(
  tx: Db,
  { activity: log, seal }: { activity: Pick<Activity, 'recordIn'>; seal: Pick<Seal, 'close'> },
  counted: readonly Counted[],
  { limits, now }: { limits: ReadingLimits; now: number },
): Promise<void> {
  if (counted.length === 0) return
  const { userId, hour, listed, opened } = readingHours
  const oldest = Math.min(...counted.map((one) => one.hour))
  const theirs = inArray(userId, [...new Set(counted.map((one) => one.userId))])
  const isMore = or(sql`${listed} > ${limits.listed}`, sql`${opened} > ${limits.opened}`)
  const marked = await tx
    .update(readingHours)
    .set({ unusualAt: new Date(now) })
    .where(and(theirs, gte(hour, new Date(oldest)), isNull(readingHours.unusualAt), isMore))
    .returning()
  const entries = marked.map((row) => ({
    userId: row.userId,
    action: 'reading-unusual' as const,
    details: { hour: row.hour.toISOString(), listed: row.listed, opened: row.opened },
    address: null,
  }))
  await log.recordIn(tx, ...entries)
  for (const row of marked) {
    const isIts = (one: Counted) => one.userId === row.userId && one.hour === row.hour.getTime()
    const { largest } = counted.find((one) => isIts(one) && (one.largest?.count ?? 0) > limits.listed) ?? {}
    if (largest === undefined) continue
    const isIt = and(eq(userId, row.userId), eq(hour, row.hour))
    await tx
      .update(readingHours)
      .set({ sealedReason: seal.close(largest.purpose, placeOf.readingReason(row.userId, row.hour)) })
      .where(isIt)
  }
}

type HourRow = typeof readingHours.$inferSelect

/** The hours that were more than usual in the last seven days, newest first; of one person, or of all. */
export function unusualHours(db: Db, now: number, userId?: string): Promise<HourRow[]> {
  const ofWhom = userId === undefined ? undefined : eq(readingHours.userId, userId)
  const recent = gte(readingHours.hour, new Date(now - TOLD_MS))
  return db
    .select()
    .from(readingHours)
    .where(and(ofWhom, recent, isNotNull(readingHours.unusualAt)))
    .orderBy(desc(readingHours.hour), readingHours.userId)
}

/** The hours of some people, or all, that begin within a time, newest first. */
export function hoursWithin(
  db: Db,
  { users, from, to, isUnusual = false }: { users?: readonly string[]; from: Date; to: Date; isUnusual?: boolean },
): Promise<HourRow[]> {
  const ofWhom = users === undefined ? undefined : inArray(readingHours.userId, [...users])
  const unusual = isUnusual ? isNotNull(readingHours.unusualAt) : undefined
  return db
    .select()
    .from(readingHours)
    .where(and(ofWhom, unusual, gte(readingHours.hour, from), lt(readingHours.hour, to)))
    .orderBy(desc(readingHours.hour), readingHours.userId)
    .limit(MOST_HOURS)
}

const MOST_HOURS = 3_000

/** Keeps why somebody read more than usual, for every hour of theirs that is not explained; answers how many. */
export async function explainHours(
  tx: Db,
  seal: Pick<Seal, 'close'>,
  { userId, now, reason }: { userId: string; now: number; reason: string },
): Promise<number> {
  const open = (await unusualHours(tx, now, userId)).filter(({ sealedReason }) => sealedReason === null)
  for (const row of open) {
    const isIt = and(eq(readingHours.userId, userId), eq(readingHours.hour, row.hour))
    await tx
      .update(readingHours)
      .set({ sealedReason: seal.close(reason, placeOf.readingReason(row.userId, row.hour)) })
      .where(isIt)
  }
  return open.length
}

/** An hour as it is told; the reason is empty when it cannot be read with the present key. */
export function hourOf(row: HourRow, seal: Pick<Seal, 'open'>): ReadingHour {
  const { hour, listed, opened, searches, unusualAt, sealedReason } = row
  return {
    hour: hour.toISOString(),
    listed,
    opened,
    searches,
    unusualAt: unusualAt?.toISOString() ?? null,
    reason: sealedReason === null ? null : (seal.open(sealedReason, placeOf.readingReason(row.userId, row.hour)) ?? ''),
  }
}
