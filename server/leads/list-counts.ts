import 'server-only'
import { LISTS } from '@/lib/contract/lists'
import type { ListCounts, Matching } from '@/lib/contract/list-query'
import { countChoices } from '@/lib/leads/count-choices'
import type { LeadTable } from '@/lib/leads/lead-table'
import { type TriageColumns, type TriageOf, triageColumns } from '@/lib/leads/triage-columns'
import type { Allowed } from '@/server/access/viewer'
import type { TriageBoard } from '@/server/triage/triage-board'
import { leadTable, type SelectionParts, selectionContext } from './select-leads'

type Parts = SelectionParts & { triage: Pick<TriageBoard, 'current' | 'changes'>; triageColumns: TriageColumnsCache }

/** How many leads within reach each choice of each filter would show, exactly. Records no visit of the list. */
export async function listCounts(
  parts: Parts,
  viewer: Allowed<'leads:read'>,
  { list, ...filter }: Matching,
): Promise<ListCounts> {
  const { kind } = LISTS[list]
  const [table, context] = await Promise.all([leadTable(parts, kind), selectionContext(parts, viewer, kind)])
  const columns = parts.triageColumns.of(table, context.triage, parts.triage.changes())
  const { lastVisitAt } = context
  const freshSince = lastVisitAt === null ? null : new Date(lastVisitAt).toISOString()
  return { ...countChoices(table, filter, context, columns), freshSince }
}

export type TriageColumnsCache = {
  /** `changes` is the triage board's own count: another number, another content. */
  of: (table: LeadTable, triage: TriageOf, changes: number) => TriageColumns
}

/** The triage beside a list's columns, made once for everyone until the list or its triage changes. */
export function createTriageColumnsCache(): TriageColumnsCache {
  const cache = new WeakMap<LeadTable, { changes: number; columns: TriageColumns }>()
  return {
    of: (table, triage, changes) => {
      const known = cache.get(table)
      if (known?.changes === changes) return known.columns
      const columns = triageColumns(table, triage)
      cache.set(table, { changes, columns })
      return columns
    },
  }
}
