import { LEAD_STATUSES } from '@/lib/contract/lists'
import type { LeadTable } from './lead-table'
import type { TriageColumns } from './triage-columns'

/** How many leads each school has, and how many of them nobody has begun with; both by the index of `schoolIds`. */
export type SchoolCounts = {
  readonly schoolIds: readonly string[]
  readonly total: Uint32Array
  readonly unhandled: Uint32Array
}

const NEW = LEAD_STATUSES.indexOf('new')

/**
 * Counts every lead once, for everybody: what a person may see of it is the sum of their schools. Kept for as long as the
 * triage is.
 */
export function countSchools(table: LeadTable, triage: TriageColumns): SchoolCounts {
  const known = counted.get(triage)
  if (known?.table === table) return known.counts
  const counts = count(table, triage)
  counted.set(triage, { table, counts })
  return counts
}

const counted = new WeakMap<TriageColumns, { table: LeadTable; counts: SchoolCounts }>()

function count(table: LeadTable, triage: TriageColumns): SchoolCounts {
  const total = new Uint32Array(table.schoolIds.length)
  const unhandled = new Uint32Array(table.schoolIds.length)
  for (let row = 0; row < table.size; row++) {
    const school = table.school[row] ?? 0
    total[school] = (total[school] ?? 0) + 1
    if (triage.status[row] === NEW) unhandled[school] = (unhandled[school] ?? 0) + 1
  }
  return { schoolIds: table.schoolIds, total, unhandled }
}
