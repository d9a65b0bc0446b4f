import { leadStatusSchema, type LeadStatus } from '@/lib/contract/lead'
import type { LeadTable } from './lead-table'
import type { TriageOf } from './triage-of'

/** The triage of every row of a table as numbers, for those who look at all rows. */
export type TriageColumns = {
  /** Index into `STATUSES`. */
  readonly status: Uint8Array
  /** Index into `assignees`; 0 stands for nobody. */
  readonly assignee: Uint16Array
  /** User ids; the first is `none`. */
  readonly assignees: readonly string[]
}

export const STATUSES: readonly LeadStatus[] = leadStatusSchema.options

export function triageColumns(table: LeadTable, triage: TriageOf): TriageColumns {
  const status = new Uint8Array(table.size)
  const assignee = new Uint16Array(table.size)
  const assignees = ['none']
  const places = new Map<string | null, number>([[null, 0]])
  for (const [id, entry] of triage) {
    const row = table.rowOf(id)
    if (row === -1) continue
    status[row] = STATUSES.indexOf(entry.status)
    const place = places.get(entry.assigneeId) ?? assignees.push(entry.assigneeId ?? 'none') - 1
    places.set(entry.assigneeId, place)
    assignee[row] = place
  }
  return { status, assignee, assignees }
}
