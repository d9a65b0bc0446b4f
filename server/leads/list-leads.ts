import type { LeadList } from '@/lib/contract/lead'
import type { LeadQuery, ListPage } from '@/lib/contract/list-query'
import { LISTS, OTHER_KIND } from '@/lib/contract/lists'
import { findNewerRows, omitNewer, summarizeNewer } from '@/lib/leads/newer-rows'
import { findPosition, selectPage } from '@/lib/leads/select-page'
import { createIsWaiting } from '@/lib/leads/select-rows'
import type { Reader } from '@/server/access/viewer'
import type { Services } from '@/server/base/services'
import { createSchoolSortKey } from './high-schools'
import { makeItems } from './lead-items'
import { getLeadTableIfReady } from './lead-tables'
import { createSelectionKey, readTableAndContext, selectSharedRows } from './select-leads'
import { type PageResult, toPageAnswer, toPageResponse } from './shared-pages'

/** Returns one page of a list and records a visit. Leads that were requested by id are logged as opened. */
export async function listLeads(services: Services, viewer: Reader, list: LeadList, query: LeadQuery) {
  return toPageAnswer(await readPage(services, viewer, list, query)) as ListPage
}

/** Creates the verb of a list's route. It sends a page, or its difference to the page with the etag `known`. */
export function createListResponder(list: LeadList) {
  return async (services: Services, viewer: Reader, { known, ...query }: LeadQuery) =>
    toPageResponse(await readPage(services, viewer, list, query), known)
}

async function readPage(services: Services, viewer: Reader, list: LeadList, query: LeadQuery): Promise<PageResult> {
  const { place: wantedId, until, ...pageQuery } = query
  const { sort: _sort, offset: _offset, limit: _limit, ...filter } = pageQuery
  const { kind, field } = LISTS[list]
  const source = await readTableAndContext(services, viewer, kind, services.visits.recordVisit)
  const { table, snapshot, context } = source
  const tables = { table, otherTable: await getLeadTableIfReady(services, viewer, OTHER_KIND[kind]) }
  const newerRows = findNewerRows(table, until, context)
  const select = () => omitNewer(table, selectSharedRows(services, viewer, source, filter), newerRows)
  const isWaiting = createIsWaiting(table, context)
  const order = { ...pageQuery, schoolSortKey: createSchoolSortKey(services), isWaiting }
  // The key has ids, because rows have other numbers in the next table.
  const ownIds = Array.from(newerRows.own, (row) => table.id[row])
  const key = JSON.stringify([createSelectionKey(viewer, source, pageQuery), until, ...ownIds])
  const page = await services.sharedPages.getOrMake(key, tables, async () => {
    const { rows, ...newer } = select()
    const pageRows = selectPage(table, rows, order)
    const getItem = await makeItems(services, viewer, { ...tables, context }, pageRows)
    const items = pageRows.flatMap((row) => getItem(row) ?? [])
    return { items, total: rows.length, extraFields: { ...summarizeNewer([newer]), cohort: context.work.cohort } }
  })
  if (query.id !== undefined) {
    const openedIds = page.items.map(({ id }) => id)
    services.leadOpenings.add(viewer.id, kind, openedIds)
  }
  if (wantedId === undefined) return { field, page, snapshot, position: {} }
  const place = findPosition(table, select().rows, table.findRow(wantedId), order)
  return { field, page, snapshot, position: { place } }
}
