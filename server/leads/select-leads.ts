import type { LeadKind } from '@/lib/contract/lead'
import type { LeadFilter, Matching } from '@/lib/contract/list-query'
import { LISTS, LISTS_BY_KIND } from '@/lib/contract/lists'
import { isHiddenRow, type LeadTable } from '@/lib/leads/lead-table'
import { noTopics, type SelectionContext, selectRows } from '@/lib/leads/select-rows'
import { allIsWork } from '@/lib/leads/work-rules'
import { scopeKey, type Viewer } from '@/server/access/viewer'
import type { Services } from '@/server/base/services'
import { findSchoolInScope, getLeadTable } from './lead-tables'

/** The rows are in scope. Hidden persons are among them: their status may change, but no file has them. */
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

/** Selects all leads in scope, without hidden persons. */
export function selectVisibleRows(table: LeadTable, { id, schools }: Viewer): Uint32Array {
  const context = { schools, viewerId: id, lastVisitAt: null, triage: new Map(), work: allIsWork, topics: noTopics }
  const rows = selectRows(table, {}, context)
  return table.protection === undefined ? rows : rows.filter((row) => !isHiddenRow(table, row))
}

/** Splits leads into those that may leave Intag and those of protected persons, even if the viewer may see them. */
export function splitProtected({ table, rows, kind }: SelectedLeads) {
  const isProtected = (row: number) => table.protection?.markByRow.has(row) === true
  return { kind, table, rows: rows.filter((row) => !isProtected(row)), withheld: rows.filter(isProtected) }
}

export async function readTableAndContext(services: Services, viewer: Viewer, kind: LeadKind) {
  const [table, context] = await Promise.all([
    getLeadTable(services, viewer, kind),
    createSelectionContext(services, viewer, kind),
  ])
  return { kind, table, context }
}

/** Returns what filters such as *mine* and *new since my visit* mean for this viewer. Lists pass `recordVisit`. */
export async function createSelectionContext(
  { triage, work, visits, topics }: Services,
  viewer: Viewer,
  kind: LeadKind,
  readLastVisit = visits.findLastEnd,
) {
  const [entries, lastVisitAt, rules] = await Promise.all([
    triage.getEntries(kind),
    readLastVisit(viewer.id, LISTS_BY_KIND[kind].list),
    work.getRules(kind),
  ])
  return { schools: viewer.schools, viewerId: viewer.id, lastVisitAt, triage: entries, work: rules, topics }
}

/**
 * Creates a cache key that is equal for all viewers who get the same leads by this filter. Triage and topics are no
 * part of it: a cache ends with the table, whose texts have the topics, and compares the version of triage.
 */
export function createSelectionKey(viewer: Viewer, table: LeadTable, filter: LeadFilter, context: SelectionContext) {
  return JSON.stringify([
    table.kind,
    filter,
    scopeKey(viewer),
    context.work.key,
    table.protection?.key,
    filter.assignee?.includes('me') === true && viewer.id,
    filter.fresh === true && context.lastVisitAt,
  ])
}
