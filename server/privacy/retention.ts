import 'server-only'
import { inArray } from 'drizzle-orm'
import { z } from 'zod'
import type { LeadKind } from '@/lib/contract/lead'
import { LEAD_KINDS, LEAD_LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import type { LeadTable } from '@/lib/leads/lead-table'
import type { Activity } from '@/server/access/activity'
import { protectedPersons } from '@/server/base/access-schema'
import type { Connect } from '@/server/base/database'
import { everyView } from '@/server/leads/saved-views'
import type { Announcer } from '@/server/base/announcer'
import { withLock } from '@/server/base/every'
import { forgetGoneLeads, type KnownLeads } from '@/server/feed/known-leads'
import type { Logger } from '@/server/base/logger'
import { rowsOfProtected } from '@/server/leads/protected-rows'
import type { Protections } from '@/server/leads/protection-list'
import type { Seal } from '@/server/base/seal'
import { readSetting, writeSetting } from '@/server/access/settings'
import type { TriageBoard } from '@/server/leads/triage-board'
import { ABSENT_MS, purgeAbsent, purgeOld, RETENTION } from './purge'
import { checkAbsences, readHold, unknownSince } from './purge-holds'

type RetentionOptions = {
  connect: Connect
  seal: Seal
  /** The list of the last answer; null if that was no good one. */
  listNow: (kind: LeadKind) => LeadTable | null
  known: Pick<KnownLeads, 'goneSince'>
  protections: Pick<Protections, 'current'>
  activity: Pick<Activity, 'recordIn'>
  announcer: Pick<Announcer, 'protections'>
  triage: Pick<TriageBoard, 'current' | 'invalidate'>
  months: number
  now: () => number
  logger: Pick<Logger, 'info' | 'warn'>
}

export function createRetention(options: RetentionOptions) {
  const { connect, months, now, logger } = options
  return {
    run: async (): Promise<void> => {
      for (const kind of LEAD_KINDS) await purgeKind(options, kind)
      if (await purgeOld(connect, { now: now(), months })) {
        logger.info('rows older than the retention period are deleted')
        for (const kind of LEAD_KINDS) await forgetLeads(connect, kind, now())
      }
      const ended = await endProtections(options, now())
      if (ended > 0) logger.info({ count: ended }, 'ended protections of persons whose leads are gone')
    },
  }
}

/** A lead that comes back within this time is not new again. */
const REMEMBERED_MS = 30 * 24 * 3_600_000

/** Not while the purge waits: which leads are gone is what an administrator is asked about. */
function forgetLeads(connect: Connect, kind: LeadKind, now: number): Promise<unknown> {
  return withLock(connect, RETENTION, async (tx) => {
    const hold = await readHold(tx, LISTS_BY_KIND[kind].list)
    if (hold === null) await forgetGoneLeads(tx, kind, now - REMEMBERED_MS)
  })
}

async function purgeKind(options: RetentionOptions, kind: LeadKind): Promise<void> {
  const { connect, seal, triage, known, listNow, now, logger } = options
  const table = listNow(kind)
  // Without a good answer it is unknown which leads are missing.
  if (table === null) return
  const at = now()
  const { list } = LISTS_BY_KIND[kind]
  const isThere = (id: string) => table.rowOf(id) !== -1
  const inViews = (await everyView(await connect(), seal)).flatMap(({ view, content }) =>
    view.list === list ? (content.query.id ?? []) : [],
  )
  const named = [...(await triage.current(kind)).keys(), ...inViews]
  const { goneSince } = known
  const checked = await checkAbsences(connect, { kind, size: table.size, isThere, named, goneSince }, at)
  if (checked === null) return
  if (checked.isHeld) {
    logger.warn({ list }, 'too many leads are gone: nothing is purged until an administrator agrees')
    return
  }
  const count = await purgeAbsent(connect, seal, kind, at)
  if (count === 0) return
  triage.invalidate()
  logger.info({ list, count }, 'purged triage and notes of leads that are gone')
}

/** Since when (ms) the service has had no lead of each protected person, as of the last check. */
const absencesSchema = z.object({ checkedAt: z.number(), since: z.record(z.string(), z.number()) })
const ABSENCES = 'protection-absences'

/** After seven days without a lead. While there is one it stays, however old: ending it would disclose the identity. */
async function endProtections(parts: RetentionOptions, now: number): Promise<number> {
  const tables = LEAD_KINDS.map(parts.listNow)
  const { all } = await parts.protections.current()
  if (all.length === 0) {
    await writeSetting(await parts.connect(), ABSENCES, null, now)
    return 0
  }
  const ended = await withLock(parts.connect, RETENTION, async (tx) => {
    for (const list of LEAD_LISTS) if ((await readHold(tx, list)) !== null) return []
    const there = new Set<string>()
    for (const table of tables) {
      if (table === null) return []
      for (const persons of rowsOfProtected(all, table).values()) for (const { id } of persons) there.add(id)
    }
    const known = absencesSchema.safeParse(await readSetting(tx, ABSENCES)).data
    const unknownMs = unknownSince(known?.checkedAt, now)
    const absent = all.filter(({ id }) => !there.has(id)).map(({ id }) => id)
    const since = Object.fromEntries(absent.map((id) => [id, (known?.since[id] ?? now - unknownMs) + unknownMs]))
    const due = absent.filter((id) => now - (since[id] ?? now) >= ABSENT_MS)
    for (const id of due) delete since[id]
    await writeSetting(tx, ABSENCES, { checkedAt: now, since }, now)
    if (due.length > 0) await tx.delete(protectedPersons).where(inArray(protectedPersons.id, due))
    const entries = due.map(
      (id) => ({ userId: null, action: 'protection-lifted', details: { protection: id } }) as const,
    )
    await parts.activity.recordIn(tx, ...entries)
    return due
  })
  if (ended === null || ended.length === 0) return 0
  await parts.announcer.protections()
  return ended.length
}
