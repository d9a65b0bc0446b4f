import 'server-only'
import { createHash, createHmac } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { and, asc, count, desc, eq, gt, gte, isNotNull, isNull, lt, lte, max, min, sql } from 'drizzle-orm'
import { groupBy } from '@/lib/group-by'
import { shortAddress } from '@/server/access/address'
import type { Connect, Db } from '@/server/db/database'
import { activitySeals } from '@/server/db/access-schema'
import { activity } from '@/server/db/schema'
import { withLock } from '@/server/every'
import type { Logger } from '@/server/logger'
import { monthsBefore } from '@/server/retention/purge'
import type { KeptKeys } from '@/server/settings/database-identity'

type SealerParts = {
  connect: Connect
  /** The key stays when `DATA_KEY` changes, so that older seals can still be verified. */
  keptKeys: KeptKeys
  now: () => number
  logger: Pick<Logger, 'info' | 'warn'>
}

const HEAD_EVERY_MS = 3_600_000
/** Written in some tens of milliseconds by PGlite, which blocks this process. */
const ENTRIES_PER_SEAL = 250
const PAUSE_MS = 20

/** The newest hash goes to the process log, to detect a truncated activity log. */
export function createSealer({ connect, keptKeys, now, logger }: SealerParts) {
  let loggedAt = Number.NEGATIVE_INFINITY
  return {
    run: async () => {
      const key = await sealKey(keptKeys)
      while ((await sealSome(connect, key)) === ENTRIES_PER_SEAL) await setTimeout(PAUSE_MS, undefined, { ref: false })
      if (now() - loggedAt < HEAD_EVERY_MS) return
      const head = await lastSeal(await connect())
      if (!head) return
      logger.info({ seal: head.id, hash: head.hash }, 'the activity log is sealed up to here')
      loggedAt = now()
    },
    /** More than one seal waits for the next start. */
    sealLast: async () => {
      try {
        await sealSome(connect, await sealKey(keptKeys))
      } catch (err) {
        logger.warn({ err }, 'the last entries are not sealed')
      }
    },
  }
}

function sealKey(keptKeys: KeptKeys): Promise<Uint8Array> {
  return keptKeys.get('activity seals')
}

type SealRow = typeof activitySeals.$inferSelect
type Entries = readonly (typeof activity.$inferSelect)[]

/** Seals the oldest unsealed entries and returns how many; null while another instance does. */
function sealSome(connect: Connect, key: Uint8Array): Promise<number | null> {
  return withLock(connect, 'seals', async (tx) => {
    const open = isNull(activity.sealId)
    const entries = await tx.select().from(activity).where(open).orderBy(asc(activity.id)).limit(ENTRIES_PER_SEAL)
    const newest = entries.reduce((latest, { at }) => Math.max(latest, at.getTime()), 0)
    if (entries.length === 0) return 0
    const before = await lastSeal(tx)
    const id = (before?.id ?? 0) + 1
    const seal = { id, at: new Date(newest), count: entries.length, digest: digestOf(entries) }
    await tx.insert(activitySeals).values({ ...seal, hash: hashOf(key, before?.hash ?? '', seal) })
    const ids = JSON.stringify(entries.map((entry) => entry.id))
    // By id: entries committed meanwhile are not in the digest.
    const those = sql`${activity.id} in (select value::bigint from json_array_elements_text(${ids}::json))`
    await tx.update(activity).set({ sealId: id }).where(those)
    return entries.length
  })
}

async function lastSeal(db: Db): Promise<SealRow | undefined> {
  const [seal] = await db.select().from(activitySeals).orderBy(desc(activitySeals.id)).limit(1)
  return seal
}

/** SHA-256 over entries in order of id, one line each. Addresses are hashed as the networks they end up as. */
function digestOf(entries: Entries): string {
  const digest = createHash('sha256')
  for (const entry of entries) {
    const { id, at, userId, action, leadKind, leadId, details, address } = entry
    const named = details && Object.entries(details).toSorted(([a], [b]) => (a < b ? -1 : 1))
    const network = address === null ? null : shortAddress(address)
    digest.update(`${JSON.stringify([id, at.toISOString(), userId, action, leadKind, leadId, named, network])}\n`)
  }
  return digest.digest('base64url')
}

/** HMAC-SHA-256 (RFC 2104) over the previous hash and this seal: the chain cannot be continued without the key. */
function hashOf(key: Uint8Array, before: string, seal: Omit<SealRow, 'hash' | 'expired'>) {
  return createHmac('sha256', key)
    .update(JSON.stringify([before, seal.id, seal.at.toISOString(), seal.count, seal.digest]))
    .digest('base64url')
}

type VerifyParts = Omit<SealerParts, 'logger'> & { retentionMonths: number }

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
  seal: number | null
  where: string
}
export type Verification = { seals: number; entries: number; head: string | null; findings: LogFinding[] }

const SEALS_AT_ONCE = 40
const SEALED_WITHIN_MS = 60_000
/** After a database outage entries are late, but not by this much. */
const LATE_MS = 3_600_000

/** `head`: a hash from the process log, which reveals a truncated end. */
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
      for (const what of findingsOf(seal, entries, { expiredBefore, newest: before.newest }))
        find(what, seal.id, whereIs(seal, entries))
      isHeadThere ||= seal.hash === head
      result.seals += 1
      result.entries += entries.length
      before = { id: seal.id, hash: seal.hash, newest: Math.max(before.newest, seal.at.getTime()) }
    }
    if (seals.length < SEALS_AT_ONCE) break
  }
  result.head = before.hash === '' ? null : before.hash
  if (!isHeadThere) find('head-missing', null, String(head))
  for (const { what, where } of await unsealedEntries(db, parts.now())) find(what, null, where)
  return result
}

function nextSeals(db: Db, after: number): Promise<SealRow[]> {
  const next = db.select().from(activitySeals).where(gt(activitySeals.id, after))
  return next.orderBy(asc(activitySeals.id)).limit(SEALS_AT_ONCE)
}

async function entriesBySeal(db: Db, seals: readonly SealRow[]): Promise<ReadonlyMap<number | null, Entries>> {
  const [first, last] = [seals[0], seals.at(-1)]
  if (first === undefined || last === undefined) return new Map()
  const inThem = and(gte(activity.sealId, first.id), lte(activity.sealId, last.id))
  return groupBy(await db.select().from(activity).where(inThem).orderBy(asc(activity.id)), ({ sealId }) => sealId)
}

type Bounds = { expiredBefore: Date; newest: number }

function findingsOf(seal: SealRow, entries: Entries, { expiredBefore, newest }: Bounds): LogFinding['what'][] {
  if (seal.expired) {
    const early: LogFinding['what'][] = seal.at >= expiredBefore ? ['expired-too-early'] : []
    return entries.length > 0 ? [...early, 'entries-added'] : early
  }
  if (entries.length < seal.count) return ['entries-removed']
  if (entries.length > seal.count) return ['entries-added']
  if (digestOf(entries) !== seal.digest) return ['entries-changed']
  return entries.some(({ at }) => at.getTime() < newest - LATE_MS) ? ['entries-late'] : []
}

function whereIs(seal: SealRow, entries: Entries): string {
  const [first, last] = [entries[0], entries.at(-1)]
  const ids = first && last ? `${first.id}–${last.id}` : '–'
  return `${timeOf(seal)}, ids ${ids}, ${entries.length} of ${seal.count}`
}

function timeOf({ at }: SealRow): string {
  return at.toISOString()
}

/** Entries unsealed for more than a minute, or assigned to a seal that does not exist. */
async function unsealedEntries(db: Db, now: number): Promise<Pick<LogFinding, 'what' | 'where'>[]> {
  const isLate = and(isNull(activity.sealId), lt(activity.at, new Date(now - SEALED_WITHIN_MS)))
  const sealExists = sql`exists (select 1 from ${activitySeals} where ${eq(activitySeals.id, activity.sealId)})`
  const isOrphan = and(isNotNull(activity.sealId), sql`not ${sealExists}`)
  const found: Pick<LogFinding, 'what' | 'where'>[] = []
  const conditions = { unsealed: isLate, 'without-seal': isOrphan } as const
  for (const what of ['unsealed', 'without-seal'] as const) {
    const columns = { count: count(), first: min(activity.id), last: max(activity.id) }
    const [row] = await db.select(columns).from(activity).where(conditions[what])
    if (row && row.count > 0) found.push({ what, where: `ids ${row.first}–${row.last}, ${row.count}` })
  }
  return found
}
