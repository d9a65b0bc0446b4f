import type { LeadRef } from '@/lib/contract/lead'

/** Ids are unique within one kind only. */
export function leadKey({ kind, id }: LeadRef): string {
  return `${kind} ${id}`
}
