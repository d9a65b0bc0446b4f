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

/** A list is compared with `size`, its largest of the last day, which it had at `sizeAt`. Moments are in ms. */
const purgeStateSchema = z.object({
  size: z.int(),
  sizeAt: z.number(),
  /** Leads that went before this moment are no reason to hold: an administrator agreed, or the leads came back. */
  settledAt: z.number().default(0),
  /** If `renewed`, `missing` counts leads that went after `from` and were known at `firstAt`, when the first went. */
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
    // A hold that another release wrote, and this one cannot read, is decided anew.
    .catch(null),
})
type PurgeState = z.infer<typeof purgeStateSchema>

/**
 * Decides whether the purge of a list is held, and stores it: while the list is more than a tenth shorter than within
 * the last day, or as long but with more than a tenth of its leads gone, because the service may have renewed its ids.
 */
export async function updatePurgeHold(
  tx: Db,
  { kind, size, countGoneSince }: { kind: LeadKind; size: number; countGoneSince: KnownLeads['countGoneSince'] },
  now: number,
) {
  const { list } = LISTS_BY_KIND[kind]
  const lastState = (await readPurgeState(tx, list)) ?? { size, sizeAt: now, settledAt: 0, hold: null }
  const from = lastState.hold?.from ?? Math.max(now - ABSENCE_LIMIT_MS, lastState.settledAt)
  const goneLeads = countGoneSince(kind, from, lastState.hold?.firstAt)
  const firstAt = lastState.hold?.firstAt ?? goneLeads.firstAt ?? now
  const holdFields = { after: size, since: lastState.hold?.since ?? now, from, firstAt }
  const isShrunk = size < lastState.size * (1 - MAX_MISSING_SHARE)
  let hold: PurgeState['hold'] = null
  if (isShrunk) hold = { ...holdFields, cause: 'shrunk', before: lastState.size, missing: lastState.size - size }
  else if (goneLeads.count >= MIN_MISSING && goneLeads.count > size * MAX_MISSING_SHARE)
    hold = { ...holdFields, cause: 'renewed', before: Math.max(size, goneLeads.count), missing: goneLeads.count }
  const isOver = lastState.hold !== null && hold === null
  const isNewSize = !isShrunk && (size >= lastState.size || isOver || now - lastState.sizeAt >= DAY_MS)
  const largest = isNewSize ? { size, sizeAt: now } : { size: lastState.size, sizeAt: lastState.sizeAt }
  await writePurgeState(tx, list, { ...largest, settledAt: isOver ? now : lastState.settledAt, hold }, now)
  return hold !== null
}

export async function listPurgeHolds({ connect }: Services, _viewer: Admin) {
  return readHolds(await connect())
}

export async function approvePurge(services: Services, viewer: Admin, { list }: { list: LeadList }) {
  return executeCommand(services, viewer, 'admin', async (tx, log) => {
    const now = services.now()
    const hold = await readHold(tx, list)
    if (hold === null) throw new NotFoundError()
    const { cause, before, after, missing } = hold
    await writePurgeState(tx, list, { size: after, sizeAt: now, settledAt: now, hold: null }, now)
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
  return (await readPurgeState(db, list))?.hold ?? null
}

async function readPurgeState(db: Db, list: LeadList): Promise<PurgeState | null> {
  return purgeStateSchema.safeParse(await readSetting(db, `list-watch:${list}`)).data ?? null
}

async function writePurgeState(tx: Db, list: LeadList, state: PurgeState, now: number) {
  await writeSetting(tx, `list-watch:${list}`, state, now)
}
