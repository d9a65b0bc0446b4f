import 'server-only'
import { and, eq, sql } from 'drizzle-orm'
import type { LeadKind } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import type { Connect, Db } from '@/server/db/database'
import { leadAbsences, notes } from '@/server/db/schema'
import { alone } from '@/server/every'
import { isStorableText } from '@/server/http/input'
import { RETENTION } from './purge'
import { measureList } from './purge-holds'

type GoodList = {
  kind: LeadKind
  /** How many leads the service has now. */
  size: number
  isThere: (id: string) => boolean
  /** The leads that have triage, and those that a saved view names. */
  named: Iterable<string>
}

/**
 * Notes which leads that we keep something about are missing from a good answer, and whether the list has shrunk so much
 * that nothing may be purged before an administrator agrees. Null when another instance is at it.
 */
export async function checkAbsences(
  connect: Connect,
  { kind, size, isThere, named }: GoodList,
  now: number,
): Promise<{ isHeld: boolean } | null> {
  return alone(connect, RETENTION, async (tx) => {
    const { isHeld, unknownMs } = await measureList(tx, LISTS_BY_KIND[kind].list, size, now)
    const withNotes = await tx.selectDistinct({ id: notes.leadId }).from(notes).where(eq(notes.kind, kind))
    const withData = new Set([...named, ...withNotes.map(({ id }) => id)])
    const rows = await tx.select({ id: leadAbsences.leadId }).from(leadAbsences).where(eq(leadAbsences.kind, kind))
    const absent = new Set(rows.map(({ id }) => id))
    await forgetAbsence(tx, kind, [...absent].filter(isThere))
    if (unknownMs > 0) await postponeAbsences(tx, kind, unknownMs)
    // A view may name what no database can store.
    const missing = [...withData].filter((id) => !isThere(id) && !absent.has(id) && isStorableText(id))
    await noteAbsence(tx, kind, missing, new Date(now))
    return { isHeld }
  })
}

/** Ids as rows; one parameter for all of them. */
const each = (ids: string[]) => sql`json_array_elements_text(${JSON.stringify(ids)}::json) as id`

async function forgetAbsence(tx: Db, kind: LeadKind, back: string[]): Promise<void> {
  const isBack = sql`${leadAbsences.leadId} in (select id from ${each(back)})`
  if (back.length > 0) await tx.delete(leadAbsences).where(and(eq(leadAbsences.kind, kind), isBack))
}

/** Time without good answers does not count as absence: absences under way begin later by as much. */
async function postponeAbsences(tx: Db, kind: LeadKind, byMs: number): Promise<void> {
  const later = sql`${leadAbsences.missingSince} + ${byMs} * interval '1 millisecond'`
  await tx.update(leadAbsences).set({ missingSince: later }).where(eq(leadAbsences.kind, kind))
}

async function noteAbsence(tx: Db, kind: LeadKind, missing: string[], missingSince: Date): Promise<void> {
  if (missing.length === 0) return
  await tx.execute(sql`insert into ${leadAbsences} (kind, lead_id, missing_since)
    select ${kind}, id, ${missingSince.toISOString()}::timestamptz from ${each(missing)} on conflict do nothing`)
}
