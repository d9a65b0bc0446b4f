import type { LeadKind } from '@/lib/contract/lead'
import type { LeadFilter, Matching } from '@/lib/contract/list-query'
import { LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import type { LeadTable } from '@/lib/leads/lead-table'
import { type SelectionContext, selectRows } from '@/lib/leads/select-rows'
import { toScopeKey, type Viewer } from '@/server/access/viewer'
import type { Services } from '@/server/base/services'
import { findSchoolInScope, getLeadTable, readLeadTable } from './lead-tables'

/** The rows are in scope. Those of hidden persons are among them: their status may change, but no file has them. */
export type SelectedLeads = { kind: LeadKind; table: LeadTable; rows: Uint32Array }

export async function selectMatching(services: Services, viewer: Viewer, { list, ...filter }: Matching) {
  const { table, context, kind } = await readTableAndContext(services, viewer, LISTS[list].kind)
  return { kind, table, rows: selectRows(table, filter, context) }
}

export async function selectByIds(services: Services, viewer: Viewer, kind: LeadKind, ids: Iterable<string>) {
  const table = await getLeadTable(services, viewer, kind)
  const rows = new Set<number>()
  for (const id of ids) if (findSchoolInScope(table, viewer, id) !== null) rows.add(table.findRow(id))
  return { kind, table, rows: Uint32Array.from(rows).sort() }
}

/** Splits leads into those that may leave Intag and those of protected persons, even if the viewer may see them. */
export function splitProtected({ table, rows, kind }: SelectedLeads) {
  const isProtected = (row: number) => table.protection?.markByRow.has(row) === true
  return { kind, table, rows: rows.filter((row) => !isProtected(row)), withheldRows: rows.filter(isProtected) }
}

/** Reads a list, and what filters such as *mine* mean for this viewer. Verbs that show it pass `visits.recordVisit`. */
export async function readTableAndContext(
  services: Services,
  viewer: Viewer,
  kind: LeadKind,
  readLastVisit = services.visits.findLastEnd,
) {
  const { id: viewerId, schools } = viewer
  // Without data this throws, and the request is no visit.
  const { table, snapshot } = await readLeadTable(services, viewer, kind)
  const [triage, lastVisitAt, work] = await Promise.all([
    services.triage.getEntries(kind),
    readLastVisit(viewerId, LISTS_BY_KIND[kind].list),
    services.work.getRules(kind),
  ])
  const context: SelectionContext = { schools, viewerId, lastVisitAt, triage, work, topics: services.topics }
  return { kind, table, snapshot, context }
}

type TableAndContext = Pick<Awaited<ReturnType<typeof readTableAndContext>>, 'table' | 'context'>

/** Selects the rows of a filter, in the table's order. Callers must not change the array: all pages are cut from it. */
export function selectSharedRows(services: Services, viewer: Viewer, list: TableAndContext, filter: LeadFilter) {
  const { table, context } = list
  const key = createSelectionKey(viewer, list, filter)
  return services.selectedRows.getOrMake(key, { table }, () => selectRows(table, filter, context))
}

/** All viewers who get the same leads share a key. Caches end with the table and any decision, so the key has neither. */
export function createSelectionKey(viewer: Viewer, { table, context }: TableAndContext, filter: LeadFilter) {
  return JSON.stringify([
    table.kind,
    filter,
    toScopeKey(viewer),
    context.work.key,
    table.protection?.key,
    filter.assignee?.includes('me') === true && viewer.id,
    filter.fresh === true && context.lastVisitAt,
  ])
}
