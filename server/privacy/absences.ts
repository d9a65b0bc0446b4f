import { z } from 'zod'
import type { LeadKind } from '@/lib/contract/lead'
import { DAY_MS, HOUR_MS } from '@/lib/time/durations'
import { readSetting, writeSetting } from '@/server/access/settings'
import type { Db } from '@/server/base/database'

/** An unbroken absence of this length ends the data about a lead, and the protection of a person without leads. */
export const ABSENCE_LIMIT_MS = 7 * DAY_MS
/** A longer time between two checks does not count as absence. */
const MAX_GAP_MS = HOUR_MS

/** The moment of the last check, and since when each id is missing (ms). */
const absencesSchema = z.object({ checkedAt: z.number(), missing: z.array(z.tuple([z.string(), z.number()])) })

/** Stores which ids are missing now, and returns those that have been missing for `ABSENCE_LIMIT_MS`. */
export async function trackAbsences(
  tx: Db,
  kind: LeadKind | 'protected-person',
  { ids, isPresent }: { ids: Iterable<string>; isPresent: (id: string) => boolean },
  now: number,
) {
  const name = `absences:${kind}`
  const stored = absencesSchema.safeParse(await readSetting(tx, name)).data
  const gapMs = now - (stored?.checkedAt ?? now)
  const uncheckedMs = gapMs > MAX_GAP_MS ? gapMs : 0
  const sinceById = new Map(stored?.missing)
  const missingSince = Array.from(ids)
    .filter((id) => !isPresent(id))
    .map((id): [string, number] => {
      const since = sinceById.get(id)
      return [id, since === undefined ? now : since + uncheckedMs]
    })
  await writeSetting(tx, name, { checkedAt: now, missing: missingSince }, now)
  return missingSince.flatMap(([id, since]) => (since <= now - ABSENCE_LIMIT_MS ? [id] : []))
}
