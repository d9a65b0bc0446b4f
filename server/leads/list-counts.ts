import 'server-only'
import { LISTS } from '@/lib/contract/lists'
import type { ListCounts, Matching } from '@/lib/contract/list-query'
import { type ChoiceCounts, countChoices, countWorkChoices, type WorkChoices } from '@/lib/leads/count-choices'
import { workFlags } from '@/lib/leads/count-work'
import type { LeadTable } from '@/lib/leads/lead-table'
import { selectRows } from '@/lib/leads/select-rows'
import { type TriageColumns, type TriageOf, triageColumns } from '@/lib/leads/triage-columns'
import type { WorkRules } from '@/lib/leads/work-rules'
import { type Allowed, reachOf } from '@/server/access/viewer'
import type { Reading } from '@/server/activity/reading'
import type { TriageBoard } from '@/server/triage/triage-board'
import { leadTable, type SelectionParts, selectionContext } from './select-leads'
import { createShared, type Shared } from './shared'

type Parts = SelectionParts & {
  triage: Pick<TriageBoard, 'current' | 'changes'>
  triageColumns: TriageColumnsCache
  choiceCounts: Shared<ChoiceCounts & WorkChoices>
  reading: Pick<Reading, 'searched'>
}

const MOST_SHARED = 500

/** What each choice would show, counted once for all who see the same, with the same filter. */
export function createChoiceCounts(): Shared<ChoiceCounts & WorkChoices> {
  return createShared(MOST_SHARED)
}

/** How many leads within reach each choice of each filter would show, exactly. Records no visit of the list. */
export async function listCounts(
  parts: Parts,
  viewer: Allowed<'leads:read'>,
  { matching: { list, ...filter } }: { matching: Matching },
): Promise<ListCounts> {
  const { kind } = LISTS[list]
  parts.reading.searched(viewer.id, filter.q)
  const [table, context] = await Promise.all([leadTable(parts, viewer, kind), selectionContext(parts, viewer, kind)])
  const changes = parts.triage.changes()
  const columns = parts.triageColumns.of(table, context.triage, changes, context.work)
  const { viewerId, lastVisitAt, work } = context
  const isPersonal = filter.fresh === true || filter.assignee?.includes('me') === true
  const key = JSON.stringify([kind, filter, reachOf(viewer), work.key, isPersonal && [viewerId, lastVisitAt]])
  const count = () => ({
    ...countChoices(table, filter, context, columns),
    ...countWorkChoices(table, filter, context, columns),
  })
  const counts = parts.choiceCounts.of(key, { table, triage: changes }, count)
  const fresh = lastVisitAt === null ? counts.total : selectRows(table, { ...filter, fresh: true }, context).length
  const freshSince = lastVisitAt === null ? null : new Date(lastVisitAt).toISOString()
  return { ...counts, fresh, freshSince }
}

export type TriageColumnsCache = {
  /** `changes` is the triage board's own count: another number, another content. */
  of: (table: LeadTable, triage: TriageOf, changes: number, rules: WorkRules) => TriageColumns
}

/** The triage beside a list's columns, made once for everyone until the list or its triage changes. */
export function createTriageColumnsCache(): TriageColumnsCache {
  const cache = new WeakMap<LeadTable, { changes: number; rules: string; columns: TriageColumns }>()
  return {
    of: (table, triage, changes, rules) => {
      const known = cache.get(table)
      if (known?.changes === changes && known.rules === rules.key) return known.columns
      const columns = triageColumns(table, triage, (entry) => workFlags(entry, rules))
      cache.set(table, { changes, rules: rules.key, columns })
      return columns
    },
  }
}
