import 'server-only'
import { and, eq, inArray, lte } from 'drizzle-orm'
import type { LeadKind } from '@/lib/contract/lead'
import type { Connect } from '@/server/db/db'
import { leadAbsences, notes, triage } from '@/server/db/schema'
import { lockTriage } from '@/server/triage/lock-triage'
import { takeTurn } from './take-turn'

const ABSENT_MS = 7 * 24 * 3_600_000
const LEADS_AT_ONCE = 500

/**
 * Deletes triage and notes of leads that have been missing for seven days, and answers whose. The log stays: it is about what
 * we did and names nobody.
 */
export async function purgeAbsent(connect: Connect, kind: LeadKind, now: number): Promise<string[]> {
  const purged: string[] = []
  for (;;) {
    const ids = await takeTurn(connect, async (tx) => {
      await lockTriage(tx)
      const due = await tx
        .select({ id: leadAbsences.leadId })
        .from(leadAbsences)
        .where(and(eq(leadAbsences.kind, kind), lte(leadAbsences.missingSince, new Date(now - ABSENT_MS))))
        .limit(LEADS_AT_ONCE)
      const gone = due.map(({ id }) => id)
      if (gone.length === 0) return gone
      await tx.delete(triage).where(and(eq(triage.kind, kind), inArray(triage.leadId, gone)))
      await tx.delete(notes).where(and(eq(notes.kind, kind), inArray(notes.leadId, gone)))
      await tx.delete(leadAbsences).where(and(eq(leadAbsences.kind, kind), inArray(leadAbsences.leadId, gone)))
      return gone
    })
    purged.push(...(ids ?? []))
    if (ids === null || ids.length < LEADS_AT_ONCE) return purged
  }
}
