import 'server-only'
import { z } from 'zod'
import type { PurgeHold } from '@/lib/contract/feed-status'
import type { LeadList } from '@/lib/contract/lead'
import { LEAD_LISTS } from '@/lib/contract/lists'
import { command, type CommandParts } from '@/server/access/command'
import type { Allowed, Viewer } from '@/server/access/viewer'
import type { Connect, Db } from '@/server/db/database'
import { NotFoundError } from '@/server/errors'
import { deleteSetting, readSetting, writeSetting } from '@/server/settings/settings'

/** Lists that shrank so much that nothing is purged until an administrator agrees. */
export async function listPurgeHolds(
  { connect }: { connect: Connect },
  _viewer: Allowed<'admin'>,
): Promise<{ holds: PurgeHold[] }> {
  return readHolds(await connect())
}

async function readHolds(db: Db): Promise<{ holds: PurgeHold[] }> {
  const holds: PurgeHold[] = []
  for (const list of LEAD_LISTS) {
    const hold = await readHold(db, list)
    if (hold) holds.push({ list, before: hold.before, now: hold.after, since: new Date(hold.since).toISOString() })
  }
  return { holds }
}

/** The administrator agrees that the list is right as it is; from now on it is measured against that. */
export async function agreeToPurge(
  parts: CommandParts & { now: () => number },
  viewer: Viewer,
  { list }: { list: LeadList },
): Promise<{ holds: PurgeHold[] }> {
  return command(parts, viewer, 'admin', async (tx, log) => {
    const now = parts.now()
    const hold = await readHold(tx, list)
    if (hold === null) throw new NotFoundError()
    const known = await readBaseline(tx, list)
    const baseline = { size: hold.after, sizeAt: now, checkedAt: known?.checkedAt ?? now }
    await writeBaseline(tx, list, baseline, now)
    await writeHold(tx, list, null, now)
    await log({ action: 'purge-agreed', details: { list, before: hold.before, now: hold.after } })
    return readHolds(tx)
  })
}

/**
 * Compares a good list with its baseline, and answers whether purging is held back. `unknownMs`: how long it had not been
 * measured before this, 0 when that is less than an hour.
 */
export async function measureList(
  tx: Db,
  list: LeadList,
  size: number,
  now: number,
): Promise<{ isHeld: boolean; unknownMs: number }> {
  const known = await readBaseline(tx, list)
  const { baseline, hold, unknownMs } = compareSize(known, await readHold(tx, list), size, now)
  await writeBaseline(tx, list, baseline, now)
  await writeHold(tx, list, hold, now)
  return { isHeld: hold !== null, unknownMs }
}

/** The size a list is measured against, since when (ms), and when it was last measured. */
const baselineSchema = z.object({ size: z.int(), sizeAt: z.number(), checkedAt: z.number() })
type Baseline = z.infer<typeof baselineSchema>

/** Since when (ms) a list has been much smaller than it was `before`. */
const holdSchema = z.object({ before: z.int(), after: z.int(), since: z.number() })
type Hold = z.infer<typeof holdSchema>

const DAY_MS = 24 * 3_600_000
/** Checks that follow each other within this time are unbroken. */
export const LONGEST_GAP_MS = 3_600_000
/** A list that keeps this share of its leads has not shrunk. */
const ENOUGH = 0.9

/**
 * Against the most the list has been within a day, so that losing it piece by piece is sudden too; a list that has come
 * back needs nobody's agreement.
 */
function compareSize(
  known: Baseline | null,
  hold: Hold | null,
  size: number,
  now: number,
): { baseline: Baseline; hold: Hold | null; unknownMs: number } {
  const current = { size, sizeAt: now, checkedAt: now }
  if (known === null) return { baseline: current, hold, unknownMs: 0 }
  const gapMs = now - known.checkedAt
  const unknownMs = gapMs > LONGEST_GAP_MS ? gapMs : 0
  const unchanged = { ...known, checkedAt: now }
  const before = hold?.before ?? known.size
  if (size < before * ENOUGH) {
    return { baseline: unchanged, hold: { before, after: size, since: hold?.since ?? now }, unknownMs }
  }
  const isNewBaseline = hold !== null || size >= known.size || now - known.sizeAt >= DAY_MS
  return { baseline: isNewBaseline ? current : unchanged, hold: null, unknownMs }
}

async function readBaseline(db: Db, list: LeadList): Promise<Baseline | null> {
  return baselineSchema
    .nullable()
    .catch(null)
    .parse(await readSetting(db, baselineName(list)))
}

async function writeBaseline(db: Db, list: LeadList, baseline: Baseline, now: number): Promise<void> {
  await writeSetting(db, baselineName(list), baseline, now)
}

export async function readHold(db: Db, list: LeadList): Promise<Hold | null> {
  return holdSchema
    .nullable()
    .catch(null)
    .parse(await readSetting(db, holdName(list)))
}

async function writeHold(db: Db, list: LeadList, hold: Hold | null, now: number): Promise<void> {
  if (hold) await writeSetting(db, holdName(list), hold, now)
  else await deleteSetting(db, holdName(list))
}

const baselineName = (list: LeadList) => `list-watch:${list}`
const holdName = (list: LeadList) => `purge-hold:${list}`
