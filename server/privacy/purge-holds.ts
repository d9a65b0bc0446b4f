import { z } from 'zod'
import type { PurgeHold } from '@/lib/contract/feed-status'
import type { LeadKind, LeadList } from '@/lib/contract/lead'
import { LEAD_LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import { DAY_MS } from '@/lib/time/durations'
import { executeCommand } from '@/server/access/command'
import { readSetting, writeSetting } from '@/server/access/settings'
import type { Admin } from '@/server/access/viewer'
import type { Db } from '@/server/base/database'
import { NotFoundError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import type { KnownLeads } from '@/server/feed/known-leads'
import { ABSENCE_LIMIT_MS } from './absences'

const MAX_MISSING_SHARE = 0.1
/** Fewer missing leads are taken for withdrawn ones in a list that is as long as before. */
const MIN_MISSING = 3

export async function listPurgeHolds({ connect }: Services, _viewer: Admin) {
  return readHolds(await connect())
}

export async function agreeToPurge(services: Services, viewer: Admin, { list }: { list: LeadList }) {
  return executeCommand(services, viewer, 'admin', async (tx, log) => {
    const now = services.now()
    const hold = await readHold(tx, list)
    if (hold === null) throw new NotFoundError()
    const { cause, before, after, missing } = hold
    await writeWatch(tx, list, { size: after, sizeAt: now, settledAt: now, hold: null }, now)
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

/** Returns why nothing of a list is purged, or null if nothing holds the purge. */
export async function readHold(db: Db, list: LeadList) {
  return (await readWatch(db, list))?.hold ?? null
}

/** A list is compared with its largest size of the last day, which it had at `sizeAt`. Moments are in ms. */
const watchSchema = z.object({
  size: z.int(),
  sizeAt: z.number(),
  /** Leads that went before this are no reason to hold: an administrator agreed, or the leads came back. */
  settledAt: z.number().default(0),
  /** `missing` counts leads that went after `from` and were known at `firstAt`, when the first of them went. */
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

/**
 * Decides whether the purge of a list is held, and stores it. It is held while the list is a tenth shorter than within
 * the last day, or while a tenth of its leads is gone although it is as long: the service may have renewed its ids.
 */
export async function updatePurgeHold(
  tx: Db,
  { kind, size, countGoneSince }: { kind: LeadKind; size: number; countGoneSince: KnownLeads['countGoneSince'] },
  now: number,
) {
  const { list } = LISTS_BY_KIND[kind]
  const lastWatch = (await readWatch(tx, list)) ?? { size, sizeAt: now, settledAt: 0, hold: null }
  const from = lastWatch.hold?.from ?? Math.max(now - ABSENCE_LIMIT_MS, lastWatch.settledAt)
  const goneLeads = countGoneSince(kind, from, lastWatch.hold?.firstAt)
  const firstAt = lastWatch.hold?.firstAt ?? goneLeads.firstAt ?? now
  const holdFields = { after: size, since: lastWatch.hold?.since ?? now, from, firstAt }
  const isShrunk = size < lastWatch.size * (1 - MAX_MISSING_SHARE)
  let hold: Watch['hold'] = null
  if (isShrunk) hold = { ...holdFields, cause: 'shrunk', before: lastWatch.size, missing: lastWatch.size - size }
  else if (goneLeads.count >= MIN_MISSING && goneLeads.count > size * MAX_MISSING_SHARE)
    hold = { ...holdFields, cause: 'renewed', before: Math.max(size, goneLeads.count), missing: goneLeads.count }
  const isOver = lastWatch.hold !== null && hold === null
  const isNewSize = !isShrunk && (size >= lastWatch.size || isOver || now - lastWatch.sizeAt >= DAY_MS)
  const largest = isNewSize ? { size, sizeAt: now } : { size: lastWatch.size, sizeAt: lastWatch.sizeAt }
  await writeWatch(tx, list, { ...largest, settledAt: isOver ? now : lastWatch.settledAt, hold }, now)
  return hold !== null
}

async function readWatch(db: Db, list: LeadList): Promise<Watch | null> {
  return watchSchema.safeParse(await readSetting(db, `list-watch:${list}`)).data ?? null
}

async function writeWatch(tx: Db, list: LeadList, watch: Watch, now: number) {
  await writeSetting(tx, `list-watch:${list}`, watch, now)
}
