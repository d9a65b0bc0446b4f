import type { QueryClient } from '@tanstack/react-query'
import { keyOf } from '@/lib/inbox/lead-text'
import type { LeadKey } from '@/lib/leads/lead-key'
import { heldBack, type LeadListQuery, type Place, requestPage } from './leads'

const MAX_AT_ONCE = 500
const TRIES = 3

type Rows = { client: QueryClient; place: Place; query: LeadListQuery; first: number; last: number }

/** The leads in these rows of a list, all of one moment. */
export async function leadKeysOf(rows: Rows): Promise<LeadKey[]> {
  for (let tries = 0; tries < TRIES; tries++) {
    const keys = await keysOfOneVersion(rows)
    if (keys !== null) return keys
  }
  throw new Error('The list changed at every try')
}

async function keysOfOneVersion({ client, place, query, first, last }: Rows): Promise<LeadKey[] | null> {
  const keys: LeadKey[] = []
  const held = heldBack(client, place, query)
  let version: number | null = null
  for (let offset = first; offset <= last; offset += MAX_AT_ONCE) {
    const limit = Math.min(MAX_AT_ONCE, last - offset + 1)
    const page = await requestPage(place, { ...query, ...held, offset, limit })
    if (version !== null && page.snapshot.version !== version) return null
    version = page.snapshot.version
    keys.push(...page.items.map(keyOf))
  }
  return keys
}
