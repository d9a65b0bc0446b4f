import 'server-only'
import { and, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import type { LeadKind } from '@/lib/contract/lead'
import { readSetting, writeSetting } from '@/server/access/settings'
import type { Db } from '@/server/base/database'
import { attempts, notes, triage } from '@/server/base/schema'
import { emptyAttempts } from '@/server/leads/attempts'
import { lockTriage } from '@/server/leads/write-triage'

const DAY_MS = 24 * 3_600_000
/** Unbroken absence, after which goes what is kept about a lead, or the protection of a person without leads. */
export const ABSENT_MS = 7 * DAY_MS
const MAX_GAP_MS = 3_600_000

/** Moments in ms: of the last check, and since when each id is missing. */
const absencesSchema = z.object({ checkedAt: z.number(), missing: z.array(z.tuple([z.string(), z.number()])) })

/**
 * Which of `ids` have been missing for too long. Since when each is, is kept as a setting from one check to the next. Time
 * in which nothing was checked is no absence.
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
  return missing.flatMap(([id, since]) => (since <= now - ABSENT_MS ? [id] : []))
}

/** Deletes what was added to leads, except views and exports. */
export async function deleteAdded(tx: Db, kind: LeadKind, ids: string[], now: number): Promise<void> {
  await lockTriage(tx, null, 'many')
  await tx.delete(triage).where(and(eq(triage.kind, kind), inArray(triage.leadId, ids)))
  await tx.delete(notes).where(and(eq(notes.kind, kind), inArray(notes.leadId, ids)))
  await emptyAttempts(tx, and(eq(attempts.kind, kind), inArray(attempts.leadId, ids)), new Date(now))
}
