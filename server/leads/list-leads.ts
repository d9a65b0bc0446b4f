import 'server-only'
import { createPersonFinder } from '@/lib/contacts/person-finder'
import type { SnapshotInfo } from '@/lib/contract/feed-status'
import type { AskedQuestionsPage, DeclarationsPage, LeadList } from '@/lib/contract/lead'
import { LISTS, OTHER_KIND } from '@/lib/contract/lists'
import type { LeadFilter, LeadQuery } from '@/lib/contract/list-query'
import type { LeadTable } from '@/lib/leads/lead-table'
import { selectPage, findPosition } from '@/lib/leads/select-page'
import { findNewerRows, omitNewer } from '@/lib/leads/newer-rows'
import { type SelectionContext, selectRows, createIsWaiting } from '@/lib/leads/select-rows'
import { chooseHeaders } from '@/server/base/private-headers'
import { scopeKey, type Reader } from '@/server/access/viewer'
import type { Services } from '@/server/base/services'
import { createSchoolSortKey } from './high-schools'
import { readLeadList, findLeadTable, createSelectionContext, createSelectionKey } from './select-leads'
import { type Basis, hasAllNames, type LeadItem, type PageContent, type SharedPage } from './table-cache'

/** Recorded as a visit; leads asked for by id as opened. */
export async function listLeads(services: Services, viewer: Reader, list: LeadList, query: LeadQuery) {
  const { field, page, snapshot, positionField: rest } = await readPage(services, viewer, list, query)
  const { items, total, etag, more } = page
  return { [field]: items, total, snapshot, etag, ...more, ...rest } as AskedQuestionsPage | DeclarationsPage
}

export function createListResponder(list: LeadList) {
  return async (services: Services, viewer: Reader, { known, ...query }: LeadQuery & { known?: string | undefined }) =>
    toPageResponse(await readPage(services, viewer, list, query), known)
}

type PageResult = { field: string; page: SharedPage; snapshot: SnapshotInfo; positionField: object }

/** For a `known` page only the difference. */
export function toPageResponse(
  { field, page, snapshot, positionField: rest }: PageResult,
  known: string | undefined,
): Response {
  const pieces = known === undefined ? null : page.findDifference(known)
  const named = known !== undefined && { etag: page.etag }
  const end = `],${JSON.stringify({ total: page.total, ...page.more, snapshot, ...named, ...rest }).slice(1)}`
  const headers = { 'content-type': 'application/json' }
  if (pieces === null) {
    const whole = [Buffer.from(`{"${field}":[`), page.encodeItems(), Buffer.from(end)]
    return new Response(Buffer.concat(whole), { headers })
  }
  const texts = pieces.map((part) => (typeof part === 'string' ? part : JSON.stringify(part)))
  const text = `{"parts":[${texts.join(',')}${end}`
  return new Response(text, { headers: { ...headers, ...chooseHeaders(text) } })
}

async function readPage(services: Services, viewer: Reader, list: LeadList, query: LeadQuery): Promise<PageResult> {
  const { kind, field } = LISTS[list]
  const { table, snapshot } = await readLeadList(services, viewer, kind)
  const [otherList, context] = await Promise.all([
    findLeadTable(services, viewer, OTHER_KIND[kind]),
    createSelectionContext(services, viewer, kind, 'visit'),
  ])
  const { place: wanted, until, ...pageQuery } = query
  const { sort, offset: _from, limit: _size, ...filter } = pageQuery
  const leftOut = findNewerRows(table, until, context)
  const basis = { table, otherList, triage: services.triage.getVersion() }
  const select = () => omitNewer(table, findMatchingRows(services, viewer, table, filter, context), leftOut)
  const order = {
    ...pageQuery,
    schoolSortKey: createSchoolSortKey(services),
    isWaiting: createIsWaiting(table, context),
  }
  const schools = sort === 'school' && services.feed.highSchools().version
  const selection = createSelectionKey(viewer, table, pageQuery, context)
  // By ids, since in the next table each row has another number.
  const own = Array.from(leftOut.own, (row) => table.id[row])
  const name = JSON.stringify([selection, schools, until, ...own])
  const page = await services.sharedPages.getOrMake(name, basis, async (): Promise<PageContent> => {
    const { rows, ...newer } = select()
    const items = await makeItems(services, viewer, basis, selectPage(table, rows, order), context)
    return { items, total: rows.length, more: describeNewerRows([newer], context.work) }
  })
  if (query.id !== undefined) {
    const opened = page.items.map(({ id }) => id)
    services.leadOpenings.add(viewer.id, kind, opened)
  }
  const rest = wanted === undefined ? {} : { place: findPosition(table, select().rows, table.findRow(wanted), order) }
  return { field, page, snapshot, positionField: rest }
}

/** What a page says of the leads that it leaves out, and which year goes without saying. */
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

/** Makes an item of each row: the lead, what the staff did about it, and whose it is. One item serves all screens of a scope. */
export async function makeItems(
  services: Services,
  viewer: Reader,
  basis: Basis,
  rows: readonly number[],
  context: Pick<SelectionContext, 'schools' | 'triage' | 'work'>,
): Promise<LeadItem[]> {
  const { table, otherList = null } = basis
  const scope = JSON.stringify([scopeKey(viewer), context.work.key, table.protection?.key])
  const known = services.leadItems.getOrMake(scope, basis, () => new Map())
  const missing = rows.filter((row) => !known.has(row))
  if (missing.length === 0) return rows.flatMap((row) => known.get(row) ?? [])
  const ids = missing.map((row) => table.id[row] ?? '')
  const [triageOf, workOf, otherTriage] = await Promise.all([
    services.triage.describe(context.triage, ids),
    services.triage.describeWork(table, ids, context),
    otherList === null ? null : services.triage.getEntries(otherList.kind),
  ])
  const lists = [{ table, triage: context.triage }]
  if (otherList !== null && otherTriage !== null) lists.push({ table: otherList, triage: otherTriage })
  const personOf = createPersonFinder(lists, context.schools)
  const made = new Map<number, LeadItem>()
  for (const row of missing) {
    const lead = table.getLead(row)
    const mark = table.protection?.markByRow.get(row)
    const item = {
      ...lead,
      seenAt: new Date(table.seenAt[row] ?? 0).toISOString(),
      triage: triageOf(lead.id),
      ...workOf(row),
      contactId: services.contactIds.encrypt(table.kind, lead),
      person: personOf(table, row),
      ...(mark && { protected: mark }),
    }
    made.set(row, item)
    // A name that cannot be read now may be readable next time.
    if (hasAllNames(item)) known.set(row, item)
  }
  return rows.flatMap((row) => made.get(row) ?? known.get(row) ?? [])
}

/**
 * Screens show different pages, and hold leads back since different moments: all of them cut one selection. In the
 * table's order, and read only.
 */
export function findMatchingRows(
  services: Services,
  viewer: Reader,
  table: LeadTable,
  filter: LeadFilter,
  context: SelectionContext,
): Uint32Array {
  const basis = { table, triage: services.triage.getVersion() }
  const key = createSelectionKey(viewer, table, filter, context)
  return services.selectedRows.getOrMake(key, basis, () => selectRows(table, filter, context))
}
