import type { LeadKind, LeadRef } from '@/lib/contract/lead'
import { groupBy } from '@/lib/group-by'

export type LeadKey = `${LeadKind} ${string}`

export function leadKey({ kind, id }: LeadRef): LeadKey {
  return `${kind} ${id}`
}

export function groupIdsByKind(leads: readonly LeadRef[]): Map<LeadKind, string[]> {
  const groups = groupBy(leads, ({ kind }) => kind)
  return new Map(Array.from(groups, ([kind, group]) => [kind, group.map(({ id }) => id)]))
}

export function parseLeadKey(key: LeadKey): LeadRef {
  const spaceIndex = key.indexOf(' ')
  return { kind: key.slice(0, spaceIndex) as LeadKind, id: key.slice(spaceIndex + 1) }
}
