import type { LeadKind, LeadRef } from '@/lib/contract/lead'

/** Ids are unique within one kind only. */
export type LeadKey = `${LeadKind} ${string}`

export function leadKey({ kind, id }: LeadRef): LeadKey {
  return `${kind} ${id}`
}

export function refOf(key: LeadKey): LeadRef {
  const space = key.indexOf(' ')
  return { kind: key.slice(0, space) as LeadKind, id: key.slice(space + 1) }
}
