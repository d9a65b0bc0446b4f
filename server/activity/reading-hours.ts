import 'server-only'
import { and, desc, eq, gte, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import type { LeadKind } from '@/lib/contract/lead'
import type { ReadingHour, ReadingLimits, ReadingAnswer, ReadingQuestion } from '@/lib/contract/activity'
import type { Connect, Db } from '@/server/db/database'
import { command, type CommandParts } from '@/server/access/command'
import type { Viewer, Admin } from '@/server/access/viewer'
import { readingHours } from '@/server/db/access-schema'
import { activity } from '@/server/db/schema'
import { placeOf } from '@/server/db/sealed-columns'
import type { Seal } from '@/server/seal'
import { userNames } from '@/server/users/users'
import type { Activity } from './activity'

export const HOUR_MS = 3_600_000
/** Administrators see the hour as long. */
const OPEN_MS = 7 * 24 * HOUR_MS
export const SAME_OPENING_MS = 10 * 60_000

export type Counted = {
  userId: string
  hour: number
  listed: number
  opened: number
  searches: number
  largest?: { count: number; purpose: string } | undefined
}
export type Opening = { userId: string; at: number; kind: LeadKind; id: string; address: string | null }

/** A single statement for all readers; counts of several instances add up. */
export async function addToHours(tx: Db, counted: readonly Counted[]): Promise<void> {
  if (counted.length === 0) return
  const rows = counted.map(({ userId, hour, ...counts }) => {
    return { user_id: userId, hour: new Date(hour).toISOString(), ...counts, largest: undefined }
  })
  await tx.execute(sql`
    insert into ${readingHours} (user_id, hour, listed, opened, searches)
    select given.user_id, given.hour, sum(given.listed), sum(given.opened), sum(given.searches) from json_to_recordset(${JSON.stringify(rows)}::json)
      as given(user_id text, hour timestamptz, listed int, opened int, searches int)
      join users on users.id = given.user_id group by given.user_id, given.hour order by given.user_id, given.hour
    on conflict (user_id, hour) do update set listed = ${readingHours.listed} + excluded.listed,
      opened = ${readingHours.opened} + excluded.opened, searches = ${readingHours.searches} + excluded.searches`)
}

/** Except those that another instance has just entered. */
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

/** Marks and logs each unusual hour once. If one export alone exceeds the limit, its purpose is the reason. */
export async function markUnusual(
  tx: Db,
  { activity: log, seal }: { activity: Pick<Activity, 'recordIn'>; seal: Pick<Seal, 'encrypt'> },
  counted: readonly Counted[],
  { limits, now }: { limits: ReadingLimits; now: number },
): Promise<void> {
  if (counted.length === 0) return
  const { userId, hour, listed, opened } = readingHours
  const oldest = Math.min(...counted.map((each) => each.hour))
  const ofUsers = inArray(userId, [...new Set(counted.map((each) => each.userId))])
  const isMore = or(sql`${listed} > ${limits.listed}`, sql`${opened} > ${limits.opened}`)
  const marked = await tx
    .update(readingHours)
    .set({ unusualAt: new Date(now) })
    .where(and(ofUsers, gte(hour, new Date(oldest)), isNull(readingHours.unusualAt), isMore))
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
    if (largest !== undefined) await storeReason(tx, seal, row, largest.purpose)
  }
}

async function storeReason(tx: Db, seal: Pick<Seal, 'encrypt'>, { userId, hour }: HourRow, reason: string) {
  const sealedReason = seal.encrypt(reason, placeOf.readingReason(userId, hour))
  const isIt = and(eq(readingHours.userId, userId), eq(readingHours.hour, hour))
  await tx.update(readingHours).set({ sealedReason }).where(isIt)
}

type HourRow = typeof readingHours.$inferSelect

export function unusualHours(db: Db, now: number, userId?: string): Promise<HourRow[]> {
  return hoursWithin(db, { userId, from: new Date(now - OPEN_MS), isUnusual: true })
}

type Within = { userId?: string | undefined; from: Date; to?: Date; isUnusual?: boolean }

export function hoursWithin(db: Db, { userId, from, to, isUnusual = false }: Within): Promise<HourRow[]> {
  const ofWhom = userId === undefined ? undefined : eq(readingHours.userId, userId)
  const unusual = isUnusual ? isNotNull(readingHours.unusualAt) : undefined
  const before = to && lt(readingHours.hour, to)
  const which = and(ofWhom, unusual, gte(readingHours.hour, from), before)
  const found = db.select().from(readingHours).where(which).orderBy(desc(readingHours.hour), readingHours.userId)
  // Who is to be asked is read whole; only a list for a screen is cut.
  return isUnusual ? found : found.limit(MAX_HOURS)
}

const MAX_HOURS = 3_000

/** An empty reason cannot be decrypted with the present key. */
export function hourOf(row: HourRow, seal: Pick<Seal, 'decrypt'>): ReadingHour {
  const { hour, listed, opened, searches, unusualAt, sealedReason } = row
  return {
    hour: hour.toISOString(),
    listed,
    opened,
    searches,
    unusualAt: unusualAt?.toISOString() ?? null,
    reason:
      sealedReason === null ? null : (seal.decrypt(sealedReason, placeOf.readingReason(row.userId, row.hour)) ?? ''),
  }
}

type QuestionParts = { connect: Connect; seal: Seal; now: () => number }
const isOpen = ({ sealedReason }: HourRow) => sealedReason === null

export async function readingQuestion({ connect, seal, now }: QuestionParts, viewer: Viewer): Promise<ReadingQuestion> {
  const rows = await unusualHours(await connect(), now(), viewer.id)
  return { hours: rows.filter(isOpen).map((row) => hourOf(row, seal)) }
}

type QuestionState = Record<'markAnswered' | 'postpone', (userId: string) => void>

/** Stores the reason, encrypted, for all open hours; or postpones the question for a quarter of an hour. */
export async function answerReadingQuestion(
  { seal, now, reading, ...parts }: QuestionParts & CommandParts & { reading: QuestionState },
  viewer: Viewer,
  answer: ReadingAnswer,
): Promise<{ explained: number }> {
  if ('later' in answer) {
    reading.postpone(viewer.id)
    return { explained: 0 }
  }
  const explained = await command(parts, viewer, 'signed-in', async (tx, log) => {
    const open = (await unusualHours(tx, now(), viewer.id)).filter(isOpen)
    for (const row of open) await storeReason(tx, seal, row, answer.reason)
    if (open.length > 0) await log({ action: 'reading-explained', details: { count: open.length } })
    else log.nothing()
    return open.length
  })
  reading.markAnswered(viewer.id)
  return { explained }
}

export async function unusualReading({ connect, seal, now }: QuestionParts, _viewer: Admin) {
  const db = await connect()
  const rows = await unusualHours(db, now())
  const ids = rows.map(({ userId }) => userId)
  const names = await userNames(db, ids)
  return {
    hours: rows.map((row) => ({ ...hourOf(row, seal), user: { id: row.userId, name: names.get(row.userId) ?? '' } })),
  }
}
