import 'server-only'
import type { ExportFormat } from '@/lib/contract/export'
import type { LeadList, LeadRef } from '@/lib/contract/lead'
import type { Matching } from '@/lib/contract/triage'
import { type SelectedLeads, selectMatching, selectNamed } from '@/server/leads/select-leads'
import type { Viewer } from '@/server/access/viewer'
import { services } from '@/server/services'

type Target = {
  list: LeadList
  leads?: LeadRef[] | undefined
  matching?: Matching | undefined
  format: ExportFormat
}

/** The leads of a request within the viewer's reach, in the table's order. */
export function selectTarget(viewer: Viewer, { list, leads, matching }: Target): Promise<SelectedLeads> {
  if (matching) return selectMatching(viewer, matching)
  const kind = list === 'asked-questions' ? 'asked-question' : 'declaration-of-interest'
  return selectNamed(
    viewer,
    kind,
    (leads ?? []).map(({ id }) => id),
  )
}

/** Of these, the rows that were in none of the viewer's exports of the same; null when there was none. */
export async function newSinceLast(viewer: Viewer, target: Target, { table, rows }: SelectedLeads) {
  const { exportLog, scopeOf } = services()
  const left = await exportLog.leftBefore(viewer.id, scopeOf(target))
  return left && { rows: rows.filter((row) => !left.ids.has(table.id[row] ?? '')), lastAt: left.lastAt }
}
