import 'server-only'
import { inArray } from 'drizzle-orm'
import { z } from 'zod'
import type { LeadKind } from '@/lib/contract/lead'
import { LEAD_KINDS, LEAD_LISTS } from '@/lib/contract/lists'
import type { LeadTable } from '@/lib/leads/lead-table'
import type { Activity } from '@/server/activity/activity'
import { protectedPersons } from '@/server/db/access-schema'
import type { Connect } from '@/server/db/database'
import type { Announcer } from '@/server/events/announcer'
import { alone } from '@/server/every'
import { rowsOfProtected } from '@/server/rights/protected-tables'
import type { Protections } from '@/server/rights/protections'
import { deleteSetting, readSetting, writeSetting } from '@/server/settings/settings'
import { ABSENT_MS, RETENTION } from './purge'
import { LONGEST_GAP_MS, readHold } from './purge-holds'

export type EndParts = {
  connect: Connect
  /** The list of the last good answer; null while the last answer was none. */
  listNow: (kind: LeadKind) => LeadTable | null
  protections: Pick<Protections, 'current'>
  activity: Pick<Activity, 'recordIn'>
  announcer: Pick<Announcer, 'protections'>
}

/** Since when (ms) the service has had no lead of each protected person, as of the last look. */
const absencesSchema = z.object({ checkedAt: z.number(), since: z.record(z.string(), z.number()) })
const ABSENCES = 'protection-absences'

/**
 * Ends the protection of persons none of whose leads the service has had for seven days; answers of how many. As long as there
 * is one it lasts, however old: ending it would show who it is. Time without good lists is no absence.
 */
export async function endProtections(parts: EndParts, now: number): Promise<number> {
  const tables = LEAD_KINDS.map(parts.listNow)
  const { all } = await parts.protections.current()
  if (all.length === 0) {
    await deleteSetting(await parts.connect(), ABSENCES)
    return 0
  }
  const ended = await alone(parts.connect, RETENTION, async (tx) => {
    for (const list of LEAD_LISTS) if ((await readHold(tx, list)) !== null) return []
    const there = new Set<string>()
    for (const table of tables) {
      if (table === null) return []
      for (const its of rowsOfProtected(all, table).values()) for (const { id } of its) there.add(id)
    }
    const known = absencesSchema.safeParse(await readSetting(tx, ABSENCES)).data
    const gapMs = known === undefined ? 0 : now - known.checkedAt
    const unknownMs = gapMs > LONGEST_GAP_MS ? gapMs : 0
    const absent = all.filter(({ id }) => !there.has(id)).map(({ id }) => id)
    const since = Object.fromEntries(absent.map((id) => [id, (known?.since[id] ?? now - unknownMs) + unknownMs]))
    const due = absent.filter((id) => now - (since[id] ?? now) >= ABSENT_MS)
    for (const id of due) delete since[id]
    await writeSetting(tx, ABSENCES, { checkedAt: now, since }, now)
    if (due.length === 0) return []
    await tx.delete(protectedPersons).where(inArray(protectedPersons.id, due))
    const entryOf = (id: string) => ({
      userId: null,
      action: 'protection-lifted' as const,
      details: { protection: id },
    })
    await parts.activity.recordIn(tx, ...due.map(entryOf))
    return due
  })
  if (ended === null || ended.length === 0) return 0
  await parts.announcer.protections()
  return ended.length
}
