import 'server-only'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { LeadKind } from '@/lib/contract/lead'
import type { Db } from '@/server/db/db'
import { leadAbsences } from '@/server/db/schema'

export type Absence = {
  kind: LeadKind
  /** The leads that something is kept about. */
  kept: Iterable<string>
  isThere: (id: string) => boolean
  now: number
  /** Time in which nobody could tell who was there: it begins later by as much. */
  unknownMs: number
}

const ROWS_AT_ONCE = 1_000

/** Notes which of the leads we keep something about are missing now, and forgets the absence of those that are back. */
export async function noteAbsences(tx: Db, { kind, kept, isThere, now, unknownMs }: Absence): Promise<void> {
  const rows = await tx.select({ id: leadAbsences.leadId }).from(leadAbsences).where(eq(leadAbsences.kind, kind))
  const known = new Set(rows.map(({ id }) => id))
  const missing = [...new Set(kept)].filter((id) => !isThere(id) && !known.has(id))
  const back = [...known].filter(isThere)
  for (const ids of parts(back)) {
    await tx.delete(leadAbsences).where(and(eq(leadAbsences.kind, kind), inArray(leadAbsences.leadId, ids)))
  }
  if (unknownMs > 0) {
    const later = sql`${leadAbsences.missingSince} + ${unknownMs} * interval '1 millisecond'`
    await tx.update(leadAbsences).set({ missingSince: later }).where(eq(leadAbsences.kind, kind))
  }
  const missingSince = new Date(now)
  for (const ids of parts(missing)) {
    await tx
      .insert(leadAbsences)
      .values(ids.map((leadId) => ({ kind, leadId, missingSince })))
      .onConflictDoNothing()
  }
}

function* parts(ids: string[]): Generator<string[]> {
  for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) yield ids.slice(from, from + ROWS_AT_ONCE)
}
