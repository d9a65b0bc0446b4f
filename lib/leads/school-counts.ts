import { waitingIn } from './count-work'
import type { LeadTable } from './lead-table'
import type { TriageColumns } from './triage-columns'
import type { WorkRules } from './work-rules'

/** How many leads each school has, and for how many of them somebody has to answer; both by the index of `schoolIds`. */
export type SchoolCounts = {
  readonly schoolIds: readonly string[]
  readonly total: Uint32Array
  readonly unhandled: Uint32Array
}

/**
 * Counts every lead once, for everybody: what a person may see of it is the sum of their schools. Kept for as long as the
 * triage is, and the rules by which it was read.
 */
export function countSchools(table: LeadTable, triage: TriageColumns, rules: WorkRules): SchoolCounts {
  const known = counted.get(triage)
  if (known?.table === table && known.rules === rules.key) return known.counts
  const counts = count(table, triage, rules)
  counted.set(triage, { table, rules: rules.key, counts })
  return counts
}

const counted = new WeakMap<TriageColumns, { table: LeadTable; rules: string; counts: SchoolCounts }>()

function count(table: LeadTable, triage: TriageColumns, rules: WorkRules): SchoolCounts {
  const { size, schoolIds, school } = table
  const isWaiting = waitingIn(table, triage, rules)
  const total = new Uint32Array(schoolIds.length)
  const unhandled = new Uint32Array(schoolIds.length)
  for (let row = 0; row < size; row++) {
    const at = school[row] ?? 0
    total[at] = (total[at] ?? 0) + 1
    if (isWaiting(row)) unhandled[at] = (unhandled[at] ?? 0) + 1
  }
  return { schoolIds, total, unhandled }
}
