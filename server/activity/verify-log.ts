import 'server-only'
import { and, asc, count, eq, gt, gte, isNotNull, isNull, lt, lte, max, min, sql } from 'drizzle-orm'
import { groupBy } from '@/lib/group-by'
import type { Connect, Db } from '@/server/db/database'
import { activitySeals } from '@/server/db/access-schema'
import { activity } from '@/server/db/schema'
import { monthsBefore } from '@/server/retention/purge'
import type { KeptKeys } from '@/server/settings/kept-keys'
import { digestOf, hashOf, type SealRow, sealKey } from './seals'

type VerifyParts = {
  connect: Connect
  keptKeys: KeptKeys
  now: () => number
  retentionMonths: number
}

export type LogFinding = {
  what:
    | 'seal-missing'
    | 'seal-changed'
    | 'entries-changed'
    | 'entries-removed'
    | 'entries-added'
    | 'entries-late'
    | 'expired-too-early'
    | 'unsealed'
    | 'without-seal'
    | 'head-missing'
  /** The stretch it was found in, where there is one. */
  seal: number | null
  /** Ids and times of the entries, in words that name nobody. */
  where: string
}
export type Verification = { seals: number; entries: number; head: string | null; findings: LogFinding[] }

/** Few enough that their entries fit in memory. */
const SEALS_AT_ONCE = 40
const SEALED_WITHIN_MS = 60_000
/** Entries of an outage of the database come later than they happened, but not by so much. */
const LATE_MS = 3_600_000

/**
 * Reads the whole log and its chain of seals and answers everything that does not fit: `head` is a hash that the process log
 * once told, without which nobody can tell that the newest seals are gone.
 */
export async function verifyLog(parts: VerifyParts, head?: string): Promise<Verification> {
  const db = await parts.connect()
  const key = await sealKey(parts.keptKeys)
  const expiredBefore = monthsBefore(parts.now(), parts.retentionMonths)
  const result: Verification = { seals: 0, entries: 0, head: null, findings: [] }
  const find = (what: LogFinding['what'], seal: number | null, where: string) =>
    result.findings.push({ what, seal, where })
  let before = { id: 0, hash: '', newest: 0 }
  let isHeadThere = head === undefined
  for (;;) {
    const seals = await nextSeals(db, before.id)
    const entriesOf = await entriesBySeal(db, seals)
    for (const seal of seals) {
      if (seal.id !== before.id + 1) find('seal-missing', null, `${before.id + 1}–${seal.id - 1}`)
      if (hashOf(key, before.hash, seal) !== seal.hash) find('seal-changed', seal.id, timeOf(seal))
      const entries = entriesOf.get(seal.id) ?? []
      for (const what of faultsOf(seal, entries, { expiredBefore, newest: before.newest }))
        find(what, seal.id, placeOf(seal, entries))
      isHeadThere ||= seal.hash === head
      result.seals += 1
      result.entries += entries.length
      before = { id: seal.id, hash: seal.hash, newest: Math.max(before.newest, seal.at.getTime()) }
    }
    if (seals.length < SEALS_AT_ONCE) break
  }
  result.head = before.hash === '' ? null : before.hash
  if (!isHeadThere) find('head-missing', null, String(head))
  for (const { what, where } of await looseEntries(db, parts.now())) find(what, null, where)
  return result
}

function nextSeals(db: Db, after: number): Promise<SealRow[]> {
  const next = db.select().from(activitySeals).where(gt(activitySeals.id, after))
  return next.orderBy(asc(activitySeals.id)).limit(SEALS_AT_ONCE)
}

type Entries = (typeof activity.$inferSelect)[]

async function entriesBySeal(db: Db, seals: readonly SealRow[]): Promise<ReadonlyMap<number | null, Entries>> {
  const [first, last] = [seals[0], seals.at(-1)]
  if (first === undefined || last === undefined) return new Map()
  const inThem = and(gte(activity.sealId, first.id), lte(activity.sealId, last.id))
  return groupBy(await db.select().from(activity).where(inThem).orderBy(asc(activity.id)), ({ sealId }) => sealId)
}

function faultsOf(
  seal: SealRow,
  entries: Entries,
  { expiredBefore, newest }: { expiredBefore: Date; newest: number },
): LogFinding['what'][] {
  if (seal.expired) {
    const isEarly = seal.at >= expiredBefore
    return [
      ...(isEarly ? ['expired-too-early' as const] : []),
      ...(entries.length > 0 ? ['entries-added' as const] : []),
    ]
  }
  if (entries.length < seal.count) return ['entries-removed']
  if (entries.length > seal.count) return ['entries-added']
  if (digestOf(entries) !== seal.digest) return ['entries-changed']
  return entries.some(({ at }) => at.getTime() < newest - LATE_MS) ? ['entries-late'] : []
}

function placeOf(seal: SealRow, entries: Entries): string {
  const [first, last] = [entries[0], entries.at(-1)]
  const ids = first && last ? `${first.id}–${last.id}` : '–'
  return `${timeOf(seal)}, ids ${ids}, ${entries.length} of ${seal.count}`
}

function timeOf({ at }: SealRow): string {
  return at.toISOString()
}

/** Entries that no seal covers although it should: left over for more than a minute, or said to be in one that is not there. */
async function looseEntries(db: Db, now: number): Promise<Pick<LogFinding, 'what' | 'where'>[]> {
  const waiting = and(isNull(activity.sealId), lt(activity.at, new Date(now - SEALED_WITHIN_MS)))
  const isThere = sql`exists (select 1 from ${activitySeals} where ${eq(activitySeals.id, activity.sealId)})`
  const lost = and(isNotNull(activity.sealId), sql`not ${isThere}`)
  const found: Pick<LogFinding, 'what' | 'where'>[] = []
  for (const [what, condition] of [
    ['unsealed', waiting],
    ['without-seal', lost],
  ] as const) {
    const [row] = await db
      .select({ count: count(), first: min(activity.id), last: max(activity.id) })
      .from(activity)
      .where(condition)
    if (row && row.count > 0) found.push({ what, where: `ids ${row.first}–${row.last}, ${row.count}` })
  }
  return found
}
