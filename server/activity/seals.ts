import 'server-only'
import { createHash, createHmac } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { asc, desc, isNull, sql } from 'drizzle-orm'
import type { Connect, Db } from '@/server/db/database'
import { activitySeals } from '@/server/db/access-schema'
import { activity } from '@/server/db/schema'
import { alone } from '@/server/every'
import type { Logger } from '@/server/logger'
import type { KeptKeys } from '@/server/settings/kept-keys'
import { shortAddress } from '@/server/access/address'

type SealerParts = {
  connect: Connect
  /** The key of the seals stays the same when `DATA_KEY` is changed: else the log of before could not be checked any more. */
  keptKeys: KeptKeys
  now: () => number
  logger: Pick<Logger, 'info' | 'warn'>
}

const HEAD_TOLD_EVERY_MS = 3_600_000
/** As many as the database in this process writes in some tens of milliseconds: nobody is to wait for it. */
const ENTRIES_PER_SEAL = 250
const PAUSE_MS = 20

/**
 * Seals the activity log stretch by stretch, so that whoever changes, removes or adds an entry later is found out by
 * `npm run admin -- verify-log`. The newest hash is told to the process log, for the end of the log could be cut off.
 */
export function createSealer({ connect, keptKeys, now, logger }: SealerParts) {
  let toldAt = Number.NEGATIVE_INFINITY
  return {
    /** One round. */
    run: async () => {
      const key = await sealKey(keptKeys)
      while ((await sealSome(connect, key)) === ENTRIES_PER_SEAL) await setTimeout(PAUSE_MS, undefined, { ref: false })
      if (now() - toldAt < HEAD_TOLD_EVERY_MS) return
      const head = await lastSeal(await connect())
      if (!head) return
      logger.info({ seal: head.id, hash: head.hash }, 'the activity log is sealed up to here')
      toldAt = now()
    },
    /** Seals what was written last; what is more than one seal waits for the next start. */
    sealLast: async () => {
      try {
        await sealSome(connect, await sealKey(keptKeys))
      } catch (err) {
        logger.warn({ err }, 'the last entries are not sealed')
      }
    },
  }
}

export function sealKey(keptKeys: KeptKeys): Promise<Uint8Array> {
  return keptKeys.get('activity seals')
}

export type SealRow = typeof activitySeals.$inferSelect
type EntryRow = typeof activity.$inferSelect

/** Seals the oldest entries that are not, and answers how many; null while another instance does. */
function sealSome(connect: Connect, key: Uint8Array): Promise<number | null> {
  return alone(connect, 'seals', async (tx) => {
    const open = isNull(activity.sealId)
    const entries = await tx.select().from(activity).where(open).orderBy(asc(activity.id)).limit(ENTRIES_PER_SEAL)
    const newest = entries.reduce((latest, { at }) => Math.max(latest, at.getTime()), 0)
    if (entries.length === 0) return 0
    const before = await lastSeal(tx)
    const id = (before?.id ?? 0) + 1
    const seal = { id, at: new Date(newest), count: entries.length, digest: digestOf(entries) }
    await tx.insert(activitySeals).values({ ...seal, hash: hashOf(key, before?.hash ?? '', seal) })
    const ids = JSON.stringify(entries.map((entry) => entry.id))
    // By their ids: an entry that was committed meanwhile is in no digest yet.
    const those = sql`${activity.id} in (select value::bigint from json_array_elements_text(${ids}::json))`
    await tx.update(activity).set({ sealId: id }).where(those)
    return entries.length
  })
}

export async function lastSeal(db: Db): Promise<SealRow | undefined> {
  const [seal] = await db.select().from(activitySeals).orderBy(desc(activitySeals.id)).limit(1)
  return seal
}

/** SHA-256 over entries in the order of their ids, one line each. Of an address only what is kept in the end. */
export function digestOf(entries: readonly EntryRow[]): string {
  const digest = createHash('sha256')
  for (const entry of entries) {
    const { id, at, userId, action, leadKind, leadId, details, address } = entry
    const named = details && Object.entries(details).toSorted(([a], [b]) => (a < b ? -1 : 1))
    const network = address === null ? null : shortAddress(address)
    digest.update(`${JSON.stringify([id, at.toISOString(), userId, action, leadKind, leadId, named, network])}\n`)
  }
  return digest.digest('base64url')
}

/** HMAC-SHA-256 (RFC 2104) over the hash before and this stretch: whoever has no key can continue the chain nowhere. */
export function hashOf(key: Uint8Array, before: string, { id, at, count, digest }: Omit<SealRow, 'hash' | 'expired'>) {
  return createHmac('sha256', key)
    .update(JSON.stringify([before, id, at.toISOString(), count, digest]))
    .digest('base64url')
}
