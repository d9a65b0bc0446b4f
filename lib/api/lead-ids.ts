import type { LeadList } from '@/lib/contract/lead'
import { type LeadListQuery, requestPage } from './leads'

const MAX_AT_ONCE = 500
const TRIES = 3

export async function leadIds(list: LeadList, query: LeadListQuery, first: number, last: number): Promise<string[]> {
  for (let tries = 0; tries < TRIES; tries++) {
    const ids = await idsOfOneVersion(list, query, first, last)
    if (ids !== null) return ids
  }
  throw new Error('The list changed at every try')
}

async function idsOfOneVersion(
  list: LeadList,
  query: LeadListQuery,
  first: number,
  last: number,
): Promise<string[] | null> {
  const ids: string[] = []
  let version: number | null = null
  for (let offset = first; offset <= last; offset += MAX_AT_ONCE) {
    const limit = Math.min(MAX_AT_ONCE, last - offset + 1)
    const page = await requestPage(list, { ...query, offset, limit })
    if (version !== null && page.snapshot.version !== version) return null
    version = page.snapshot.version
    ids.push(...page.items.map(({ id }) => id))
  }
  return ids
}
