import 'server-only'
import { createPersonFinder } from '@/lib/contacts/person-finder'
import type { SnapshotInfo } from '@/lib/contract/feed-status'
import type { AskedQuestionsPage, DeclarationsPage, LeadList } from '@/lib/contract/lead'
import type { LeadFilter, LeadQuery } from '@/lib/contract/list-query'
import { LISTS, OTHER_KIND } from '@/lib/contract/lists'
import type { LeadTable } from '@/lib/leads/lead-table'
import { findNewerRows, omitNewer } from '@/lib/leads/newer-rows'
import { findPosition, selectPage } from '@/lib/leads/select-page'
import { createIsWaiting, type SelectionContext, selectRows } from '@/lib/leads/select-rows'
import { type Reader, scopeKey } from '@/server/access/viewer'
import { chooseHeaders } from '@/server/base/private-headers'
import type { Services } from '@/server/base/services'
import { createSchoolSortKey } from './high-schools'
import { createSelectionContext, createSelectionKey, findLeadTable, readLeadList } from './select-leads'
import { hasAllNames, type LeadItem, type PageContent, type SharedPage } from './shared-pages'
import type { Basis } from './table-cache'

/** Returns one page of a list and records a visit. Leads that were requested by id are logged as opened. */
export async function listLeads(services: Services, viewer: Reader, list: LeadList, query: LeadQuery) {
  const { field, page, snapshot, positionField } = await readPage(services, viewer, list, query)
  const { items, total, etag, extraFields } = page
  const answer = { [field]: items, total, snapshot, etag, ...extraFields, ...positionField }
  return answer as AskedQuestionsPage | DeclarationsPage
}

export function createListResponder(list: LeadList) {
  return async (services: Services, viewer: Reader, { known, ...query }: LeadQuery & { known?: string | undefined }) =>
    toPageResponse(await readPage(services, viewer, list, query), known)
}

type PageResult = { field: string; page: SharedPage; snapshot: SnapshotInfo; positionField: object }

/** Writes only the difference if the browser has the page with the etag `known`. */
export function toPageResponse({ field, page, snapshot, positionField }: PageResult, known?: string): Response {
  const difference = known === undefined ? null : page.findDifference(known)
  const etag = known !== undefined && { etag: page.etag }
  const end = `],${JSON.stringify({ total: page.total, ...page.extraFields, snapshot, ...etag, ...positionField }).slice(1)}`
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
  const { kind, field } = LISTS[list]
  const { table, snapshot } = await readLeadList(services, viewer, kind)
  const [otherList, context] = await Promise.all([
    findLeadTable(services, viewer, OTHER_KIND[kind]),
    createSelectionContext(services, viewer, kind, { recordsVisit: true }),
  ])
  const { place: wantedId, until, ...pageQuery } = query
  const { sort, offset: _from, limit: _size, ...filter } = pageQuery
  const newerRows = findNewerRows(table, until, context)
  const basis = { table, otherList, triageVersion: services.triage.getVersion() }
  const select = () => omitNewer(table, findMatchingRows(services, viewer, table, filter, context), newerRows)
  const isWaiting = createIsWaiting(table, context)
  const order = { ...pageQuery, schoolSortKey: createSchoolSortKey(services), isWaiting }
  const schools = sort === 'school' && services.feed.highSchools().version
  const selection = createSelectionKey(viewer, table, pageQuery, context)
  // The key has ids, because rows have other numbers in the next table.
  const ownIds = Array.from(newerRows.own, (row) => table.id[row])
  const key = JSON.stringify([selection, schools, until, ...ownIds])
  const page = await services.sharedPages.getOrMake(key, basis, async (): Promise<PageContent> => {
    const { rows, ...newer } = select()
    const items = await makeItems(services, viewer, basis, selectPage(table, rows, order), context)
    return { items, total: rows.length, extraFields: describeNewerRows([newer], context.work) }
  })
  if (query.id !== undefined) {
    const opened = page.items.map(({ id }) => id)
    services.leadOpenings.add(viewer.id, kind, opened)
  }
  if (wantedId === undefined) return { field, page, snapshot, positionField: {} }
  const place = findPosition(table, select().rows, table.findRow(wantedId), order)
  return { field, page, snapshot, positionField: { place } }
}

/** Describes the newer leads that a page leaves out. `cohort` is the enrollment year that rows need not name. */
export function describeNewerRows(
  newer: readonly { waiting: number; newest: number }[],
  { cohort }: SelectionContext['work'],
) {
  const newest = Math.max(...newer.map((part) => part.newest))
  return {
    waiting: newer.reduce((sum, { waiting }) => sum + waiting, 0),
    newest: newest === -Infinity ? null : new Date(newest).toISOString(),
    cohort,
  }
}

/** Makes an item of each row: the lead, what staff did about it, and the person. Viewers of one scope share items. */
export async function makeItems(
  services: Services,
  viewer: Reader,
  basis: Basis,
  rows: readonly number[],
  context: Pick<SelectionContext, 'schools' | 'triage' | 'work'>,
): Promise<LeadItem[]> {
  const { table, otherList = null } = basis
  const scope = JSON.stringify([scopeKey(viewer), context.work.key, table.protection?.key])
  const cachedItems = services.leadItems.getOrMake(scope, basis, () => new Map())
  const missing = rows.filter((row) => !cachedItems.has(row))
  if (missing.length === 0) return rows.flatMap((row) => cachedItems.get(row) ?? [])
  const ids = missing.map((row) => table.id[row] ?? '')
  const [toTriage, toWork, otherTriage] = await Promise.all([
    services.triage.describe(context.triage, ids),
    services.triage.describeWork(table, ids, context),
    otherList === null ? null : services.triage.getEntries(otherList.kind),
  ])
  const lists = [{ table, triage: context.triage }]
  if (otherList !== null && otherTriage !== null) lists.push({ table: otherList, triage: otherTriage })
  const findPerson = createPersonFinder(lists, context.schools)
  const madeItems = new Map<number, LeadItem>()
  for (const row of missing) {
    const lead = table.getLead(row)
    const mark = table.protection?.markByRow.get(row)
    const item = {
      ...lead,
      seenAt: new Date(table.seenAt[row] ?? 0).toISOString(),
      triage: toTriage(lead.id),
      ...toWork(row),
      contactId: services.contactIds.encrypt(table.kind, lead),
      person: findPerson(table, row),
      ...(mark && { protected: mark }),
    }
    madeItems.set(row, item)
    if (hasAllNames(item)) cachedItems.set(row, item)
  }
  return rows.flatMap((row) => madeItems.get(row) ?? cachedItems.get(row) ?? [])
}

/** Selects the rows of a filter, in the table's order. Callers must not change the array: all pages are cut from it. */
export function findMatchingRows(
  services: Services,
  viewer: Reader,
  table: LeadTable,
  filter: LeadFilter,
  context: SelectionContext,
): Uint32Array {
  const basis = { table, triageVersion: services.triage.getVersion() }
  const key = createSelectionKey(viewer, table, filter, context)
  return services.selectedRows.getOrMake(key, basis, () => selectRows(table, filter, context))
}
