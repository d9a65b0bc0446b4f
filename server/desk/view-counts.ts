import 'server-only'
import type { LeadList } from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import type { ViewQuery } from '@/lib/contract/saved-view'
import type { LeadTable } from '@/lib/leads/lead-table'
import { type SelectionContext, selectRows } from '@/lib/leads/select-rows'
import type { Viewer } from '@/server/access/viewer'
import { NotReadyError } from '@/server/errors'
import { leadTable, type SelectionParts, selectionContext } from '@/server/leads/select-leads'
import { createShared } from '@/server/leads/shared'
import type { TriageBoard } from '@/server/triage/triage-board'

export type CountParts = SelectionParts & { triage: Pick<TriageBoard, 'current' | 'changes'>; viewCounts: ViewCounts }

/** Counts the leads of a view for one person, all on the same state of the lists; null before the first data. */
export function createViewCounter(
  parts: CountParts,
  viewer: Viewer,
): (list: LeadList, query: ViewQuery) => Promise<number | null> {
  const bases = new Map<LeadList, Promise<CountBasis | null>>()
  return async (list, query) => {
    const basis = bases.get(list) ?? basisOf(parts, viewer, list)
    bases.set(list, basis)
    const ready = await basis
    return ready && parts.viewCounts.count(query, ready)
  }
}

async function basisOf(parts: CountParts, viewer: Viewer, list: LeadList): Promise<CountBasis | null> {
  const { kind } = LISTS[list]
  try {
    const [table, context] = await Promise.all([leadTable(parts, viewer, kind), selectionContext(parts, viewer, kind)])
    return { list, table, context, revision: parts.triage.changes() }
  } catch (error) {
    if (error instanceof NotReadyError) return null
    throw error
  }
}

/** What a count is made from; `revision` is the triage's. */
type CountBasis = { list: LeadList; table: LeadTable; revision: number; context: SelectionContext }

type ViewCounts = { count: (query: ViewQuery, basis: CountBasis) => number }

const MOST_SHARED = 2_000

/**
 * How many leads a saved view has. Counted once for all who see the same schools, until the list or its triage changes:
 * every browser asks again at each change, with every view in its sidebar.
 */
export function createViewCounts(): ViewCounts {
  const shared = createShared<number>(MOST_SHARED)
  return {
    count: (query, { list, table, revision, context }) => {
      const filter = { ...query }
      // The same leads in any order.
      delete filter.sort
      const key = JSON.stringify([list, filter, ...personalParts(filter, context)])
      return shared.of(key, { table, triage: revision }, () => selectRows(table, filter, context).length)
    },
  }
}

/** What of the person the filter's words depend on. */
function personalParts(filter: ViewQuery, { schools, viewerId, lastVisitAt, work }: SelectionContext): unknown[] {
  return [
    schools === 'all' ? schools : [...schools].sort(),
    work.key,
    filter.assignee?.includes('me') === true ? viewerId : null,
    filter.fresh === true ? lastVisitAt : null,
  ]
}
