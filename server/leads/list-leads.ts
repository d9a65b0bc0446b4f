import 'server-only'
import type { Lead, LeadKind, Triage } from '@/lib/contract/lead'
import type { LeadQuery } from '@/lib/contract/list-query'
import type { SnapshotInfo } from '@/lib/contract/snapshot'
import { pageRows } from '@/lib/leads/page-rows'
import { selectRows } from '@/lib/leads/select-rows'
import type { Viewer } from '@/server/access/viewer'
import type { ListState } from '@/server/feed/list-state'
import { current } from '@/server/feed/current'
import type { IngestedList } from '@/server/feed/ingest/ingested-list'
import { schoolSortKeys } from '@/server/high-schools/school-sort-keys'
import { services } from '@/server/services'
import { visitContext } from './selection-context'

export type LeadPage<L extends Lead> = {
  items: (L & { triage: Triage; contactId: string })[]
  total: number
  snapshot: SnapshotInfo
}

/** One page of the leads that the viewer may see and that match; everything comes from memory. */
export async function listLeads<L extends Lead>(
  viewer: Viewer,
  kind: LeadKind,
  stateOf: () => ListState<IngestedList<L>>,
  query: LeadQuery,
): Promise<LeadPage<L>> {
  const { content, snapshot } = await current(stateOf)
  const { table } = content
  const context = await visitContext(viewer, kind)
  const rows = selectRows(table, query, context)
  const page = pageRows(table, rows, { ...query, schoolSortKey: schoolSortKeys() })
  const leads = page.map((row) => table.lead(row))
  const { contactIds, triage } = services()
  const triageOf = await triage.describe(
    context.triage,
    leads.map((lead) => lead.id),
  )
  return {
    items: leads.map((lead) => ({ ...lead, triage: triageOf(lead.id), contactId: contactIds.of(kind, lead) })),
    total: rows.length,
    snapshot,
  }
}
