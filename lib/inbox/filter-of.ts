import type { LeadListQuery } from '@/lib/api/lead-page'
import type { LeadFilter } from '@/lib/contract/list-query'

/** What a list is narrowed by, without its order. */
export function filterOf({ sort: _order, ...filter }: LeadListQuery): LeadFilter {
  return filter
}
