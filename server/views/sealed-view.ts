import 'server-only'
import type { LeadList } from '@/lib/contract/lead'
import { newViewSchema, type ViewQuery } from '@/lib/contract/saved-view'
import type { Seal } from '@/server/secrets/seal'

/** A view's name and filter: both may be a search for somebody, so they are stored enciphered as one text. */
export type ViewContent = { name: string; query: ViewQuery }

export function sealView(seal: Seal, id: string, { name, query }: ViewContent): string {
  return seal.close(JSON.stringify({ name, query }), placeOf(id))
}

/** Null when it was sealed with another key, or by a release whose filters were others. */
export function openView(seal: Seal, id: string, list: LeadList, sealed: string): ViewContent | null {
  const text = seal.open(sealed, placeOf(id))
  const parsed = newViewSchema.safeParse(text === null ? null : { ...JSON.parse(text), list })
  return parsed.success ? { name: parsed.data.name, query: parsed.data.query } : null
}

const placeOf = (id: string) => `saved-views ${id}`
