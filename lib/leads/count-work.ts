import type { LeadFilter, ListCounts } from '@/lib/contract/list-query'
import { type LeadTable, NO_YEAR } from './lead-table'
import { type SelectionContext, selectRows } from './select-rows'
import type { TriageColumns } from './triage-columns'
import { isEarlier } from './work-rules'

export type WorkCounts = Pick<ListCounts, 'waiting' | 'late' | 'hidden'>

/** What of the leads that match is work, and what a screen leaves out by itself would be shown otherwise. */
export function countWork(
  table: LeadTable,
  filter: LeadFilter,
  context: SelectionContext,
  { asks }: Pick<TriageColumns, 'asks'>,
): WorkCounts {
  const { waiting: _waiting, late: _late, ...rest } = filter
  const { createdAt, year } = table
  const isWaiting = (row: number) =>
    asks[row] === 1 && !isEarlier(context.work, createdAt[row] ?? 0, year[row] ?? NO_YEAR)
  const waiting: Record<string, number> = {}
  let late = 0
  for (const row of selectRows(table, rest, context)) {
    if (!isWaiting(row)) continue
    const school = table.schoolIds[table.school[row] ?? -1] ?? ''
    waiting[school] = (waiting[school] ?? 0) + 1
    if ((table.createdAt[row] ?? 0) < context.work.lateBefore) late++
  }
  return { waiting, late, hidden: countHidden(table, filter, context) }
}

/** So many more there are when it is no longer left out: of what is both, nothing until one of the two is shown. */
function countHidden(table: LeadTable, filter: LeadFilter, context: SelectionContext): ListCounts['hidden'] {
  const count = (change: LeadFilter) => selectRows(table, { ...filter, ...change }, context).length
  return {
    earlier: filter.earlier === false ? count({ earlier: true }) : 0,
    snoozed: filter.snoozed === false ? count({ snoozed: true }) : 0,
  }
}
