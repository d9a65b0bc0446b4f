import type { SnapshotInfo } from '@/lib/contract/feed-status'
import type { LeadList } from '@/lib/contract/lead'
import type { LeadFilter, LeadQuery, ListPage } from '@/lib/contract/list-query'
import { LISTS, OTHER_KIND } from '@/lib/contract/lists'
import type { LeadTable } from '@/lib/leads/lead-table'
import { findNewerRows, omitNewer } from '@/lib/leads/newer-rows'
import { findPosition, selectPage } from '@/lib/leads/select-page'
import { createIsWaiting, type SelectionContext, selectRows } from '@/lib/leads/select-rows'
import type { WorkRules } from '@/lib/leads/work-rules'
import type { Reader } from '@/server/access/viewer'
import { chooseHeaders } from '@/server/base/private-headers'
import type { Services } from '@/server/base/services'
import { createSchoolSortKey } from './high-schools'
import { makeItems } from './lead-items'
import { getLeadTableIfReady, readLeadTable } from './lead-tables'
import { createSelectionContext, createSelectionKey } from './select-leads'
import type { PageContent, SharedPage } from './shared-pages'

/** Returns one page of a list and records a visit. Leads that were requested by id are logged as opened. */
export async function listLeads(services: Services, viewer: Reader, list: LeadList, query: LeadQuery) {
  return toPageAnswer(await readPage(services, viewer, list, query)) as ListPage
}

export function createListResponder(list: LeadList) {
  return async (services: Services, viewer: Reader, { known, ...query }: LeadQuery & { known?: string | undefined }) =>
    toPageResponse(await readPage(services, viewer, list, query), known)
}

/** `position` has the place of the lead that the request named, if it named one. */
export type PageResult = {
  field: string
  page: SharedPage
  snapshot: SnapshotInfo
  position: { place?: number | null }
}

export function toPageAnswer({ field, page, snapshot, position }: PageResult) {
  const { items, total, etag, extraFields } = page
  return { [field]: items, total, snapshot, etag, ...extraFields, ...position }
}

/** Writes only the difference if the browser has the page with the etag `known`. */
export function toPageResponse({ field, page, snapshot, position }: PageResult, known?: string) {
  const difference = known === undefined ? null : page.findDifference(known)
  const etag = known !== undefined && { etag: page.etag }
  const fields = { total: page.total, ...page.extraFields, snapshot, ...etag, ...position }
  const end = `],${JSON.stringify(fields).slice(1)}`
  const headers = { 'content-type': 'application/json' }
  if (difference === null) {
    const whole = [Buffer.from(`{"${field}":[`), page.encodeItems(), Buffer.from(end)]
    return new Response(Buffer.concat(whole), { headers })
  }
  const texts = difference.map((part) => (typeof part === 'string' ? part : JSON.stringify(part)))
  const text = `{"parts":[${texts.join(',')}${end}`
  return new Response(text, { headers: { ...headers, ...chooseHeaders(text) } })
}

async function readPage(services: Services, viewer: Reader, list: LeadList, query: LeadQuery): Promise<PageResult> {
  const { place: wantedId, until, ...pageQuery } = query
  const { sort, offset: _from, limit: _size, ...filter } = pageQuery
  const { kind, field } = LISTS[list]
  const { table, snapshot } = await readLeadTable(services, viewer, kind)
  const [otherTable, context] = await Promise.all([
    getLeadTableIfReady(services, viewer, OTHER_KIND[kind]),
    createSelectionContext(services, viewer, kind, services.visits.recordVisit),
  ])
  const tables = { table, otherTable }
  const newerRows = findNewerRows(table, until, context)
  const select = () => omitNewer(table, findMatchingRows(services, viewer, table, filter, context), newerRows)
  const isWaiting = createIsWaiting(table, context)
  const order = { ...pageQuery, schoolSortKey: createSchoolSortKey(services), isWaiting }
  const schools = sort === 'school' && services.feed.highSchools().version
  // The key has ids, because rows have other numbers in the next table.
  const ownIds = Array.from(newerRows.own, (row) => table.id[row])
  const key = JSON.stringify([createSelectionKey(viewer, table, pageQuery, context), schools, until, ...ownIds])
  const page = await services.sharedPages.getOrMake(key, tables, async (): Promise<PageContent> => {
    const { rows, ...newer } = select()
    const pageRows = selectPage(table, rows, order)
    const getItem = await makeItems(services, viewer, tables, pageRows, context)
    const items = pageRows.flatMap((row) => getItem(row) ?? [])
    return { items, total: rows.length, extraFields: describeNewerRows([newer], context.work) }
  })
  if (query.id !== undefined) {
    const opened = page.items.map(({ id }) => id)
    services.leadOpenings.add(viewer.id, kind, opened)
  }
  if (wantedId === undefined) return { field, page, snapshot, position: {} }
  const place = findPosition(table, select().rows, table.findRow(wantedId), order)
  return { field, page, snapshot, position: { place } }
}

/** Describes the newer leads that a page leaves out. `cohort` is the enrollment year that rows need not name. */
export function describeNewerRows(newer: readonly { waiting: number; newest: number }[], { cohort }: WorkRules) {
  const newest = Math.max(...newer.map((part) => part.newest))
  return {
    waiting: newer.reduce((sum, { waiting }) => sum + waiting, 0),
    newest: newest === -Infinity ? null : new Date(newest).toISOString(),
    cohort,
  }
}

/** Selects the rows of a filter, in the table's order. Callers must not change the array: all pages are cut from it. */
export function findMatchingRows(
  services: Services,
  viewer: Reader,
  table: LeadTable,
  filter: LeadFilter,
  context: SelectionContext,
) {
  const key = createSelectionKey(viewer, table, filter, context)
  return services.selectedRows.getOrMake(key, { table }, () => selectRows(table, filter, context))
}
