import 'server-only'
import { z } from 'zod'
import type { PurgeHold } from '@/lib/contract/feed-status'
import type { LeadKind, LeadList } from '@/lib/contract/lead'
import { LEAD_LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import { readSetting, writeSetting } from '@/server/access/settings'
import { executeCommand } from '@/server/access/command'
import type { Admin } from '@/server/access/viewer'
import type { Db } from '@/server/base/database'
import { NotFoundError } from '@/server/base/errors'
import type { KnownLeads } from '@/server/feed/known-leads'
import type { Services } from '@/server/base/services'

export async function listPurgeHolds({ connect }: Services, _viewer: Admin): Promise<{ holds: PurgeHold[] }> {
  return readHolds(await connect())
}

export async function agreeToPurge(services: Services, viewer: Admin, { list }: { list: LeadList }) {
  return executeCommand(services, viewer, 'admin', async (tx, log) => {
    const now = services.now()
    const hold = await readHold(tx, list)
    if (hold === null) throw new NotFoundError()
    const { cause, before, after, missing } = hold
    await writeSetting(tx, watchName(list), { size: after, sizeAt: now, settledAt: now, hold: null }, now)
    await log({ action: 'purge-agreed', details: { list, cause, before, now: after, missing } })
    return readHolds(tx)
  })
}

async function readHolds(db: Db): Promise<{ holds: PurgeHold[] }> {
  const holds: PurgeHold[] = []
  for (const list of LEAD_LISTS) {
    const hold = await readHold(db, list)
    if (hold === null) continue
    const { cause, before, after, missing, since } = hold
    holds.push({ list, cause, before, now: after, missing, since: new Date(since).toISOString() })
  }
  return { holds }
}

/** Why nothing of a list is purged. */
export async function readHold(db: Db, list: LeadList) {
  return (await readWatch(db, list))?.hold ?? null
}

/** What a list is compared with: its largest size of a day, and since when (ms). */
const watchSchema = z.object({
  size: z.int(),
  sizeAt: z.number(),
  /** What went before is no reason to wait: an administrator agreed, or the leads came back. */
  settledAt: z.number().default(0),
  /** Leads are counted that went after `from` and were known at `firstAt`, when the first of them went. */
  hold: z
    .object({
      cause: z.enum(['shrunk', 'renewed']),
      before: z.int(),
      after: z.int(),
      missing: z.int(),
      since: z.number(),
      from: z.number(),
      firstAt: z.number(),
    })
    .nullable()
    .default(null),
})
type Watch = z.infer<typeof watchSchema>

const DAY_MS = 24 * 3_600_000
const MAX_SHARE = 0.1
/** Two that are withdrawn are no fault of the service. */
const MIN_GONE = 3

/**
 * Whether too many leads are missing. A list is shorter than its maximum of a day, so that shrinking piece by piece is
 * noticed, too; or as long, and its leads are others: a service that renews its ids has the same people under ids of
 * which nothing is known. Those are counted over the time after which a lead is purged.
 */
export async function updatePurgeHold(
  tx: Db,
  {
    kind,
    size,
    goneSince: countGoneSince,
  }: { kind: LeadKind; size: number; countGoneSince: KnownLeads['countGoneSince'] },
  now: number,
): Promise<boolean> {
  const { list } = LISTS_BY_KIND[kind]
  const last = (await readWatch(tx, list)) ?? { size, sizeAt: now, settledAt: 0, hold: null }
  const from = last.hold?.from ?? Math.max(now - ABSENCE_LIMIT_MS, last.settledAt)
  const { count, firstAt } = countGoneSince(kind, from, last.hold?.firstAt)
  const isShrunk = size < last.size * (1 - MAX_SHARE)
  const isRenewed = !isShrunk && count >= MIN_GONE && count > size * MAX_SHARE
  const found = { after: size, since: last.hold?.since ?? now, from, firstAt: last.hold?.firstAt ?? firstAt ?? now }
  let hold: Watch['hold'] = null
  if (isShrunk) hold = { ...found, cause: 'shrunk', before: last.size, missing: last.size - size }
  if (isRenewed) hold = { ...found, cause: 'renewed', before: Math.max(size, count), missing: count }
  const isOver = last.hold !== null && hold === null
  const isNewSize = !isShrunk && (size >= last.size || isOver || now - last.sizeAt >= DAY_MS)
  const largest = isNewSize ? { size, sizeAt: now } : { size: last.size, sizeAt: last.sizeAt }
  await writeSetting(tx, watchName(list), { ...largest, settledAt: isOver ? now : last.settledAt, hold }, now)
  return hold !== null
}

/** Unbroken absence, after which goes what is kept about a lead, or the protection of a person without leads. */
export const ABSENCE_LIMIT_MS = 7 * DAY_MS
const MAX_GAP_MS = 3_600_000

/** Moments in ms: of the last check, and since when each id is missing. */
const absencesSchema = z.object({ checkedAt: z.number(), missing: z.array(z.tuple([z.string(), z.number()])) })

/**
 * Finds those of `ids` that have been missing for too long. A setting remembers from one check to the next since when each
 * is missing. Time in which nothing was checked is no absence.
 */
export async function findAbsent(
  tx: Db,
  kind: LeadKind | 'protected-person',
  { ids, isThere }: { ids: Iterable<string>; isThere: (id: string) => boolean },
  now: number,
): Promise<string[]> {
  const name = `absences:${kind}`
  const stored = absencesSchema.safeParse(await readSetting(tx, name)).data
  const gapMs = now - (stored?.checkedAt ?? now)
  const uncheckedMs = gapMs > MAX_GAP_MS ? gapMs : 0
  const before = new Map(stored?.missing)
  const missing = Array.from(ids)
    .filter((id) => !isThere(id))
    .map((id): [string, number] => [id, (before.get(id) ?? now - uncheckedMs) + uncheckedMs])
  await writeSetting(tx, name, { checkedAt: now, missing }, now)
  return missing.flatMap(([id, since]) => (since <= now - ABSENCE_LIMIT_MS ? [id] : []))
}

async function readWatch(db: Db, list: LeadList): Promise<Watch | null> {
  return watchSchema.safeParse(await readSetting(db, watchName(list))).data ?? null
}

const watchName = (list: LeadList) => `list-watch:${list}`
