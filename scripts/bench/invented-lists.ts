import type { LeadKind } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { inventData } from '@/reference-service/invented/data'
import { type IngestedList, readLeads } from '@/server/feed/ingest'
import type { LeadOfKind } from '@/server/feed/service-records'

export const START = Date.UTC(2026, 10, 20, 8)
export const inventLists = () => inventData({ tier: 'XL', seed: 7, now: START })

export function createBody(kind: LeadKind, leads: readonly object[]): Buffer {
  return Buffer.from(JSON.stringify({ [LISTS_BY_KIND[kind].field]: leads }))
}

export function addThreeLeads<L extends { id: string }>(leads: readonly L[]): L[] {
  const more = leads.slice(0, 3).map((lead, index) => {
    return { ...lead, id: `${lead.id}-again`, createdAt: new Date(START + 60_000 * (3 - index)).toISOString() }
  })
  return [...more, ...leads]
}

export type List<K extends LeadKind> = IngestedList<LeadOfKind[K]>

export async function readBody<K extends LeadKind>(kind: K, body: Buffer, previous?: List<K>): Promise<List<K>> {
  const reading = await readLeads(kind, body, previous)
  if (!reading.ok) throw new Error(reading.detail)
  return reading.list
}

export async function buildTable<K extends LeadKind>(kind: K, leads: readonly object[]) {
  return (await readBody(kind, createBody(kind, leads))).table
}
