import 'server-only'
import { and, eq, inArray, lte, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { LeadKind } from '@/lib/contract/lead'
import { readSetting, writeSetting } from '@/server/access/settings'
import type { Db } from '@/server/base/database'
import { attempts, leadAbsences, notes, triage } from '@/server/base/schema'
import { emptyAttempts } from '@/server/leads/attempts'
import { lockTriage } from '@/server/leads/write-triage'

const DAY_MS = 24 * 3_600_000
/** Unbroken absence, after which goes what is kept about a lead, or the protection of a person without leads. */
export const ABSENT_MS = 7 * DAY_MS
const MAX_GAP_MS = 3_600_000

type Absent = typeof leadAbsences.$inferSelect.kind

/** Records since when each of `ids` is missing, and which are back. Time in which nothing was checked is no absence. */
export async function noteAbsences(
  tx: Db,
  kind: Absent,
  { ids, isThere }: { ids: Iterable<string>; isThere: (id: string) => boolean },
  now: number,
): Promise<void> {
  const ofKind = eq(leadAbsences.kind, kind)
  const checked = `absences-checked:${kind}`
  const gapMs = now - (z.number().safeParse(await readSetting(tx, checked)).data ?? now)
  await writeSetting(tx, checked, now, now)
  const recorded = await tx.select({ id: leadAbsences.leadId }).from(leadAbsences).where(ofKind)
  const absent = new Set(recorded.map(({ id }) => id))
  const back = [...absent].filter(isThere)
  const isBack = sql`${leadAbsences.leadId} in (select id from ${each(back)})`
  if (back.length > 0) await tx.delete(leadAbsences).where(and(ofKind, isBack))
  const later = sql`${leadAbsences.missingSince} + ${gapMs} * interval '1 millisecond'`
  if (gapMs > MAX_GAP_MS) await tx.update(leadAbsences).set({ missingSince: later }).where(ofKind)
  const missing = [...ids].filter((id) => !isThere(id) && !absent.has(id))
  const rows = sql`select ${kind}, id, ${new Date(now).toISOString()}::timestamptz from ${each(missing)}`
  const noted = sql`insert into ${leadAbsences} (kind, lead_id, missing_since) ${rows} on conflict do nothing`
  if (missing.length > 0) await tx.execute(noted)
}

const each = (ids: string[]) => sql`json_array_elements_text(${JSON.stringify(ids)}::json) as id`

export async function absentTooLong(tx: Db, kind: Absent, now: number, limit: number): Promise<string[]> {
  const isDue = and(eq(leadAbsences.kind, kind), lte(leadAbsences.missingSince, new Date(now - ABSENT_MS)))
  const due = await tx.select({ id: leadAbsences.leadId }).from(leadAbsences).where(isDue).limit(limit)
  return due.map(({ id }) => id)
}

/** Deletes what was added to leads, except views and exports. */
export async function deleteAdded(tx: Db, kind: LeadKind, ids: string[], now: number): Promise<void> {
  await lockTriage(tx, null, 'many')
  await tx.delete(triage).where(and(eq(triage.kind, kind), inArray(triage.leadId, ids)))
  await tx.delete(notes).where(and(eq(notes.kind, kind), inArray(notes.leadId, ids)))
  await emptyAttempts(tx, and(eq(attempts.kind, kind), inArray(attempts.leadId, ids)), new Date(now))
  await forgetAbsences(tx, kind, ids)
}

export async function forgetAbsences(tx: Db, kind: Absent, ids: string[]): Promise<void> {
  await tx.delete(leadAbsences).where(and(eq(leadAbsences.kind, kind), inArray(leadAbsences.leadId, ids)))
}
