import type { LeadKind } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { readLeads } from '@/server/feed/ingest'
import { nextTurn } from './measure'

/** The table that the feed makes of these leads of the reference service. Throws when they cannot be read. */
export async function inventedTable<K extends LeadKind>(kind: K, leads: readonly object[]) {
  const body = Buffer.from(JSON.stringify({ [LISTS_BY_KIND[kind].field]: leads }))
  const reading = await readLeads({ kind, body, yield: nextTurn })
  if (!reading.ok) throw new Error(reading.detail)
  return reading.list.table
}
