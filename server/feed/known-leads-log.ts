import { and, asc, eq, gt } from 'drizzle-orm'
import type { LeadKind } from '@/lib/contract/lead'
import { toChunks } from '@/server/base/chunks'
import type { Connect, Db } from '@/server/base/database'
import { type KnownLead, knownLeads } from '@/server/base/schema'

export type LogEntries = { leads: readonly KnownLead[]; lastRowId: number }

const ROWS_PER_READ = 100
const LEADS_PER_ROW = 500

/** Reads the entries after the row `afterId`. Of a lead's entries, the earliest moment and the last `goneAt` hold. */
export async function readLog(connect: Connect, kind: LeadKind, afterId: number): Promise<LogEntries> {
  const db = await connect()
  const leads: KnownLead[] = []
  for (let lastRowId = afterId; ;) {
    const condition = and(eq(knownLeads.kind, kind), gt(knownLeads.id, lastRowId))
    const rows = await db.select().from(knownLeads).where(condition).orderBy(asc(knownLeads.id)).limit(ROWS_PER_READ)
    for (const row of rows) leads.push(...row.leads)
    lastRowId = rows.at(-1)?.id ?? lastRowId
    if (rows.length < ROWS_PER_READ) return { leads, lastRowId }
  }
}

/** Writes all entries or none, because a lead whose entry was missing would be new again after a restart. */
export async function writeLog(connect: Connect, kind: LeadKind, entries: readonly KnownLead[]): Promise<void> {
  if (entries.length === 0) return
  const db = await connect()
  await db.transaction(async (tx) => {
    for (const leads of toChunks(entries, LEADS_PER_ROW)) await tx.insert(knownLeads).values({ kind, leads })
  })
}

/** Deletes the leads that were gone before `goneBefore` (ms), and keeps one entry for each of the others. */
export async function forgetGoneLeads(tx: Db, kind: LeadKind, goneBefore: number): Promise<void> {
  const rows = await tx.select().from(knownLeads).where(eq(knownLeads.kind, kind)).orderBy(asc(knownLeads.id))
  const entries = rows.flatMap(({ leads }) => leads)
  const entryById = new Map<string, KnownLead>()
  for (const [id, moment, goneAt] of entries) {
    const seenAt = Math.min(entryById.get(id)?.[1] ?? moment, moment)
    // The entry moves to the place of the lead's last one, so that no instance misses a change.
    entryById.delete(id)
    entryById.set(id, [id, seenAt, goneAt])
  }
  const rememberedEntries = [...entryById.values()].filter(([, , goneAt]) => goneAt === null || goneAt >= goneBefore)
  const isCompact = rows.length <= 2 * Math.ceil(entries.length / LEADS_PER_ROW)
  if (rememberedEntries.length === entries.length && isCompact) return
  // Rows are filled from the end, because an instance reads only the rows after the last id it has seen.
  for (const { id } of rows.toReversed()) {
    const leads = rememberedEntries.splice(-LEADS_PER_ROW)
    if (leads.length > 0) await tx.update(knownLeads).set({ leads }).where(eq(knownLeads.id, id))
    else await tx.delete(knownLeads).where(eq(knownLeads.id, id))
  }
}
