import 'server-only'
import { z } from 'zod'
import type { PurgeHold } from '@/lib/contract/feed-status'
import type { LeadKind, LeadList } from '@/lib/contract/lead'
import { LEAD_LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import { readSetting, writeSetting } from '@/server/access/settings'
import { command } from '@/server/access/command'
import type { Admin } from '@/server/access/viewer'
import type { Db } from '@/server/base/database'
import { NotFoundError } from '@/server/base/errors'
import type { KnownLeads } from '@/server/feed/known-leads'
import type { Services } from '@/server/base/services'
import { ABSENT_MS } from './absences'

export async function listPurgeHolds({ connect }: Services, _viewer: Admin): Promise<{ holds: PurgeHold[] }> {
  return readHolds(await connect())
}

export async function agreeToPurge(
  services: Services,
  viewer: Admin,
  { list }: { list: LeadList },
): Promise<{ holds: PurgeHold[] }> {
  return command(services, viewer, 'admin', async (tx, log) => {
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

type MeasuredList = { kind: LeadKind; size: number; goneSince: KnownLeads['goneSince'] }

/** Whether too many leads are missing. */
export async function measureList(tx: Db, list: MeasuredList, now: number): Promise<boolean> {
  const { list: name } = LISTS_BY_KIND[list.kind]
  const watch = nextWatch(await readWatch(tx, name), list, now)
  await writeSetting(tx, watchName(name), watch, now)
  return watch.hold !== null
}

/** Leads are counted that went after `from` and were known at `firstAt`, when the first of them went. */
const holdSchema = z.object({
  cause: z.enum(['shrunk', 'renewed']),
  before: z.int(),
  after: z.int(),
  missing: z.int(),
  since: z.number(),
  from: z.number(),
  firstAt: z.number(),
})
type Hold = z.infer<typeof holdSchema>

/** What a list is compared with: its largest size of a day, and since when (ms). */
const watchSchema = z.object({
  size: z.int(),
  sizeAt: z.number(),
  /** What went before is no reason to wait: an administrator agreed, or the leads came back. */
  settledAt: z.number().default(0),
  hold: holdSchema.nullable().default(null),
})
type Watch = z.infer<typeof watchSchema>

const DAY_MS = 24 * 3_600_000
const MAX_SHARE = 0.1
/** Two that are withdrawn are no fault of the service. */
const MIN_GONE = 3

/** Compared with the maximum of a day, so that shrinking piece by piece is noticed, too. */
function nextWatch(before: Watch | null, list: MeasuredList, now: number): Watch {
  const { size } = list
  const last = before ?? { size, sizeAt: now, settledAt: 0, hold: null }
  const hold = findHold(last, list, now)
  const isOver = last.hold !== null && hold === null
  const isNewSize = size >= last.size || isOver || now - last.sizeAt >= DAY_MS
  return {
    ...(isNewSize && hold?.cause !== 'shrunk' ? { size, sizeAt: now } : { size: last.size, sizeAt: last.sizeAt }),
    settledAt: isOver ? now : last.settledAt,
    hold,
  }
}

/**
 * A list is shorter; or as long, and its leads are others: a service that renews its ids has the same people under ids
 * of which nothing is known. Counted over the time after which a lead is purged, so that renewal piece by piece is noticed.
 */
function findHold(last: Watch, { kind, size, goneSince }: MeasuredList, now: number): Hold | null {
  const from = last.hold?.from ?? Math.max(now - ABSENT_MS, last.settledAt)
  const { count, firstAt } = goneSince(kind, from, last.hold?.firstAt)
  const hold = {
    after: size,
    since: last.hold?.since ?? now,
    from,
    firstAt: last.hold?.firstAt ?? firstAt ?? now,
  }
  if (size < last.size * (1 - MAX_SHARE))
    return { ...hold, cause: 'shrunk', before: last.size, missing: last.size - size }
  if (count >= MIN_GONE && count > size * MAX_SHARE)
    return { ...hold, cause: 'renewed', before: Math.max(size, count), missing: count }
  return null
}

async function readWatch(db: Db, list: LeadList): Promise<Watch | null> {
  return watchSchema.safeParse(await readSetting(db, watchName(list))).data ?? null
}

const watchName = (list: LeadList) => `list-watch:${list}`
