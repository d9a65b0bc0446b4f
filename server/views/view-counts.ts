import 'server-only'
import type { LeadList } from '@/lib/contract/lead'
import type { ViewQuery } from '@/lib/contract/saved-view'
import type { LeadTable } from '@/lib/leads/lead-table'
import { type SelectionContext, selectRows } from '@/lib/leads/select-rows'

/** What a count is made from; `revision` is the triage's. */
export type CountBasis = { list: LeadList; table: LeadTable; revision: number; context: SelectionContext }

export type ViewCounts = { count: (query: ViewQuery, basis: CountBasis) => number }

const KEPT = 2_000

/**
 * How many leads a saved view has. Counted once for all who see the same schools, until the list or its triage changes:
 * every browser asks again at each change, with every view in its sidebar.
 */
export function createViewCounts(): ViewCounts {
  const known = new WeakMap<LeadTable, { revision: number; counts: Map<string, number> }>()
  return {
    count: (query, { list, table, revision, context }) => {
      const filter = { ...query }
      // The same leads in any order.
      delete filter.sort
      let kept = known.get(table)
      if (kept?.revision !== revision || kept.counts.size >= KEPT) kept = { revision, counts: new Map() }
      known.set(table, kept)
      const key = JSON.stringify([list, filter, ...whose(filter, context)])
      const count = kept.counts.get(key) ?? selectRows(table, filter, context).length
      kept.counts.set(key, count)
      return count
    },
  }
}

/** What of the person the filter's words depend on. */
function whose(filter: ViewQuery, { schools, viewerId, lastVisitAt }: SelectionContext): unknown[] {
  return [
    schools === 'all' ? schools : [...schools].sort(),
    filter.assignee?.includes('me') === true ? viewerId : null,
    filter.fresh === true ? lastVisitAt : null,
  ]
}
