import 'server-only'
import type { AskedQuestionsPage, DeclarationsPage, Lead, LeadList } from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import type { LeadQuery } from '@/lib/contract/list-query'
import { pageRows, placeOf } from '@/lib/leads/page-rows'
import { selectRows } from '@/lib/leads/select-rows'
import type { Allowed } from '@/server/access/viewer'
import type { ContactIds } from '@/server/contacts/contact-id'
import type { TriageBoard } from '@/server/triage/triage-board'
import { type SchoolParts, schoolSortKeys } from './high-schools'
import { currentLeads, type SelectionParts, visitContext } from './select-leads'

type Parts = SelectionParts &
  SchoolParts & { triage: Pick<TriageBoard, 'current' | 'describe'>; contactIds: ContactIds }

/**
 * One page of the leads that the viewer may see and that match, with what the staff decided. The leads come from memory;
 * triage and the viewer's visit, which this is, from the database. Throws NotReadyError while the service has never answered.
 */
export async function listLeads(
  parts: Parts,
  viewer: Allowed<'leads:read'>,
  list: LeadList,
  query: LeadQuery,
): Promise<AskedQuestionsPage | DeclarationsPage> {
  const { kind, field } = LISTS[list]
  const { table, snapshot } = await currentLeads(parts, kind)
  const context = await visitContext(parts, viewer, kind)
  const rows = selectRows(table, query, context)
  const order = { ...query, schoolSortKey: schoolSortKeys(parts) }
  const page = pageRows(table, rows, order)
  const leads = page.map((row): Lead => table.lead(row))
  const triageOf = await parts.triage.describe(
    context.triage,
    leads.map((lead) => lead.id),
  )
  const items = leads.map((lead) => ({
    ...lead,
    triage: triageOf(lead.id),
    contactId: parts.contactIds.of(kind, lead),
  }))
  const place = query.place === undefined ? {} : { place: placeOf(table, rows, table.rowOf(query.place), order) }
  return { [field]: items, total: rows.length, snapshot, ...place } as AskedQuestionsPage | DeclarationsPage
}
