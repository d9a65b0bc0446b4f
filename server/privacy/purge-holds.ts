import 'server-only'
import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { PurgeHold } from '@/lib/contract/feed-status'
import type { LeadKind, LeadList } from '@/lib/contract/lead'
import { LEAD_LISTS, LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import { command, type CommandParts } from '@/server/access/command'
import type { Viewer, Admin } from '@/server/access/viewer'
import type { Connect, Db } from '@/server/base/database'
import { leadAbsences, notes } from '@/server/base/schema'
import { NotFoundError } from '@/server/base/errors'
import type { KnownLeads } from '@/server/feed/known-leads'
import { withLock } from '@/server/base/every'
import { isStorableText } from '@/server/base/parse-input'
import { readSetting, writeSetting } from '@/server/access/settings'
import { ABSENT_MS, RETENTION } from './purge'

export async function listPurgeHolds({ connect }: { connect: Connect }, _viewer: Admin) {
  return readHolds(await connect())
}

async function readHolds(db: Db): Promise<{ holds: PurgeHold[] }> {
  const holds: PurgeHold[] = []
  for (const list of LEAD_LISTS) {
    const hold = await readHold(db, list)
    if (hold === null) continue
    const { cause, before, after: now, missing } = hold
    holds.push({ list, cause, before, now, missing, since: new Date(hold.since).toISOString() })
  }
  return { holds }
}

export async function agreeToPurge(
  parts: CommandParts & { now: () => number },
  viewer: Viewer,
  { list }: { list: LeadList },
): Promise<{ holds: PurgeHold[] }> {
  return command(parts, viewer, 'admin', async (tx, log) => {
    const now = parts.now()
    const hold = await readHold(tx, list)
    if (hold === null) throw new NotFoundError()
    const { cause, before, after, missing } = hold
    const { checkedAt = now } = (await readBaseline(tx, list)) ?? {}
    await writeSetting(tx, baselineName(list), { size: after, sizeAt: now, checkedAt, settledAt: now }, now)
    for (const name of [holdName(list), renewalName(list)]) await writeSetting(tx, name, null, now)
    await tx.update(leadAbsences).set({ agreed: true }).where(eq(leadAbsences.kind, LISTS[list].kind))
    await log({ action: 'purge-agreed', details: { list, cause, before, now: after, missing } })
    return readHolds(tx)
  })
}

type GoodList = {
  kind: LeadKind
  size: number
  isThere: (id: string) => boolean
  /** Leads with triage, and those named in a saved view. */
  named: Iterable<string>
  goneSince: KnownLeads['goneSince']
}

/** Records which leads are missing, and whether too many are. Null: another instance does. */
export async function checkAbsences(connect: Connect, list: GoodList, now: number) {
  const { kind, size, isThere, named } = list
  return withLock(connect, RETENTION, async (tx) => {
    const { isShrunk, unknownMs } = await measureList(tx, LISTS_BY_KIND[kind].list, size, now)
    const withNotes = await tx.selectDistinct({ id: notes.leadId }).from(notes).where(eq(notes.kind, kind))
    const withData = new Set([...named, ...withNotes.map(({ id }) => id)])
    const ofKind = eq(leadAbsences.kind, kind)
    const recorded = await tx.select({ id: leadAbsences.leadId }).from(leadAbsences).where(ofKind)
    const absent = new Set(recorded.map(({ id }) => id))
    const back = [...absent].filter(isThere)
    const isBack = sql`${leadAbsences.leadId} in (select id from ${each(back)})`
    if (back.length > 0) await tx.delete(leadAbsences).where(and(ofKind, isBack))
    // Time without good answers does not count as absence.
    const later = sql`${leadAbsences.missingSince} + ${unknownMs} * interval '1 millisecond'`
    if (unknownMs > 0) await tx.update(leadAbsences).set({ missingSince: later }).where(ofKind)
    // A view may name an id that no database can store.
    const missing = [...withData].filter((id) => !isThere(id) && !absent.has(id) && isStorableText(id))
    const rows = sql`select ${kind}, id, ${new Date(now).toISOString()}::timestamptz from ${each(missing)}`
    const noted = sql`insert into ${leadAbsences} (kind, lead_id, missing_since) ${rows} on conflict do nothing`
    if (missing.length > 0) await tx.execute(noted)
    const agreed = await tx.$count(leadAbsences, and(ofKind, eq(leadAbsences.agreed, true)))
    const gone = (await tx.$count(leadAbsences, ofKind)) - agreed
    const isRenewed = await compareLeads(tx, list, { of: withData.size - agreed, gone }, now)
    return { isHeld: isShrunk || isRenewed }
  })
}

/** One of two that is withdrawn is no fault of the service. */
const MIN_GONE = 3
const MAX_SHARE = 0.1
const MAX_SHARE_WORKED_ON = 0.5

type WorkedOn = { of: number; gone: number }

/**
 * Whether the leads are the same, however many there are: a service that renews its ids has the same people under ids
 * of which nothing is known. Counted over the time after which a lead is purged, so that renewal piece by piece is noticed.
 */
async function compareLeads(tx: Db, { kind, size, goneSince }: GoodList, workedOn: WorkedOn, now: number) {
  const { list } = LISTS_BY_KIND[kind]
  const held = renewalSchema.safeParse(await readSetting(tx, renewalName(list))).data
  const baseline = await readBaseline(tx, list)
  const { settledAt = -Infinity } = baseline ?? {}
  const from = held?.from ?? Math.max(now - ABSENT_MS, settledAt)
  const { count, firstAt } = goneSince(kind, from, held?.firstAt)
  const rest = { after: size, since: held?.since ?? now, from, firstAt: held?.firstAt ?? firstAt ?? now }
  let hold: Renewal | null = null
  if (count >= MIN_GONE && count > size * MAX_SHARE)
    hold = { cause: 'renewed', before: Math.max(size, count), missing: count, ...rest }
  else if (workedOn.gone >= MIN_GONE && workedOn.gone >= workedOn.of * MAX_SHARE_WORKED_ON)
    hold = { cause: 'worked-on', before: workedOn.of, missing: workedOn.gone, ...rest }
  await writeSetting(tx, renewalName(list), hold, now)
  // The leads are back, and the ids go that they had meanwhile.
  if (held && hold === null) await writeSetting(tx, baselineName(list), { ...baseline, settledAt: now }, now)
  return hold !== null
}

const each = (ids: string[]) => sql`json_array_elements_text(${JSON.stringify(ids)}::json) as id`

async function measureList(tx: Db, list: LeadList, size: number, now: number) {
  const baselineBefore = await readBaseline(tx, list)
  const { baseline, hold } = compareSize(baselineBefore, await readShrunk(tx, list), size, now)
  await writeSetting(tx, baselineName(list), baseline, now)
  await writeSetting(tx, holdName(list), hold, now)
  return { isShrunk: hold !== null, unknownMs: unknownSince(baselineBefore?.checkedAt, now) }
}

/** The size a list is compared with, since when (ms), and when it was last measured. */
const baselineSchema = z.object({
  size: z.int(),
  sizeAt: z.number(),
  checkedAt: z.number(),
  /** What went before is no reason to wait: an administrator agreed, or the leads came back. */
  settledAt: z.number().optional(),
})
type Baseline = z.infer<typeof baselineSchema>

const holdSchema = z.object({ before: z.int(), after: z.int(), since: z.number() })
type Hold = z.infer<typeof holdSchema>

/** Leads are counted that went after `from` and were known at `firstAt`, when the first of them went. */
const renewalSchema = holdSchema.extend({
  cause: z.enum(['renewed', 'worked-on']),
  missing: z.int(),
  from: z.number(),
  firstAt: z.number(),
})
type Renewal = z.infer<typeof renewalSchema>

const DAY_MS = 24 * 3_600_000
const MAX_GAP_MS = 3_600_000
const MIN_SHARE = 0.9

/** How long nothing was checked; 0 after less than an hour, or before the first check. */
export function unknownSince(checkedAt: number | undefined, now: number): number {
  const gapMs = now - (checkedAt ?? now)
  return gapMs > MAX_GAP_MS ? gapMs : 0
}

/** Compared with the maximum of a day, so that shrinking piece by piece is noticed, too. */
function compareSize(baselineBefore: Baseline | null, hold: Hold | null, size: number, now: number) {
  const current = { ...baselineBefore, size, sizeAt: now, checkedAt: now }
  if (baselineBefore === null) return { baseline: current, hold }
  const unchanged = { ...baselineBefore, checkedAt: now }
  const before = hold?.before ?? baselineBefore.size
  if (size < before * MIN_SHARE)
    return { baseline: unchanged, hold: { before, after: size, since: hold?.since ?? now } }
  const isNewBaseline = hold !== null || size >= baselineBefore.size || now - baselineBefore.sizeAt >= DAY_MS
  return { baseline: isNewBaseline ? current : unchanged, hold: null }
}

async function readBaseline(db: Db, list: LeadList): Promise<Baseline | null> {
  return baselineSchema.safeParse(await readSetting(db, baselineName(list))).data ?? null
}

async function readShrunk(db: Db, list: LeadList): Promise<Hold | null> {
  return holdSchema.safeParse(await readSetting(db, holdName(list))).data ?? null
}

/** Why nothing of a list is purged: first, that it is shorter. */
export async function readHold(db: Db, list: LeadList) {
  const shrunk = await readShrunk(db, list)
  if (shrunk !== null) return { cause: 'shrunk' as const, missing: shrunk.before - shrunk.after, ...shrunk }
  return renewalSchema.safeParse(await readSetting(db, renewalName(list))).data ?? null
}

const baselineName = (list: LeadList) => `list-watch:${list}`
const holdName = (list: LeadList) => `purge-hold:${list}`
const renewalName = (list: LeadList) => `renewal-hold:${list}`
