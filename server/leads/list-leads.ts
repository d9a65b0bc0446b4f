import 'server-only'
import type { Services } from '@/server/base/services'
import { createHash } from 'node:crypto'
import { createPersonFinder } from '@/lib/contacts/person-finder'
import type { SnapshotInfo } from '@/lib/contract/feed-status'
import type { AskedQuestionsPage, DeclarationsPage, LeadList, ProtectedMark } from '@/lib/contract/lead'
import { LISTS, OTHER_KIND } from '@/lib/contract/lists'
import type { LeadFilter, LeadQuery } from '@/lib/contract/list-query'
import type { LeadTable } from '@/lib/leads/lead-table'
import { pageRows, placeOf } from '@/lib/leads/page-rows'
import { cameAfter, withoutNewer } from '@/lib/leads/rows-until'
import { type SelectionContext, selectRows, waitingRows } from '@/lib/leads/select-rows'
import { scopeKey, type Reader } from '@/server/access/viewer'
import { schoolSortKeys } from './high-schools'
import { currentLeads, leadsOrNull, selectionContext } from './select-leads'
import { type Basis, isWhole, type Item, type MadePage, type SharedPage } from './table-cache'

/** Recorded as a visit; leads asked for by id as opened. */
export async function listLeads(services: Services, viewer: Reader, list: LeadList, query: LeadQuery) {
  const { page, snapshot, place } = await readPage(services, viewer, list, query)
  const { items, total, etag, more } = page
  return { [LISTS[list].field]: items, total, snapshot, etag, ...more, ...place } as
    | AskedQuestionsPage
    | DeclarationsPage
}

/** For a `known` page only the difference, for an unchanged `If-None-Match` (RFC 9110, 13.1.2) 304. */
export function answerList(list: LeadList) {
  return async (
    services: Services,
    viewer: Reader,
    { known, ...query }: AskedList,
    { request }: { request: Request },
  ) => {
    const { page, snapshot, place } = await readPage(services, viewer, list, query)
    const read = { field: LISTS[list].field, page, snapshot, rest: place }
    return written(read, { known, request })
  }
}

type AskedList = LeadQuery & { known?: string | undefined }

type Read = { field: string; page: SharedPage; snapshot: SnapshotInfo; rest: object }
type Asking = { known: string | undefined; request: Request }

export function written({ field, page, snapshot, rest }: Read, { known, request }: Asking): Response {
  const headers = { 'content-type': 'application/json', etag: `W/"${page.etag}.${freshnessOf(snapshot)}"` }
  const isPlace = 'place' in rest
  if (!isPlace && request.headers.get('if-none-match') === headers.etag)
    return new Response(null, { status: 304, headers })
  const pieces = known === undefined ? null : page.partsSince(known)
  const named = known !== undefined && { etag: page.etag }
  const end = `],${JSON.stringify({ total: page.total, ...page.more, snapshot, ...named, ...rest }).slice(1)}`
  if (pieces === null) {
    const whole = [Buffer.from(`{"${field}":[`), page.bytes(), Buffer.from(end)]
    return new Response(Buffer.concat(whole), { headers })
  }
  const texts = pieces.map((part) => (typeof part === 'string' ? part : JSON.stringify(part)))
  const text = `{"parts":[${texts.join(',')}${end}`
  // Next would compress a short answer too, and make it longer.
  const asItIs = text.length < MIN_BYTES_TO_COMPRESS && { 'cache-control': 'private, no-store, no-transform' }
  return new Response(text, { headers: { ...headers, ...asItIs } })
}

const MIN_BYTES_TO_COMPRESS = 1_024

/** One snapshot object serves every request until the list's state changes. */
function freshnessOf(snapshot: SnapshotInfo): string {
  const known = freshness.get(snapshot) ?? createHash('sha1').update(JSON.stringify(snapshot)).digest('base64url')
  freshness.set(snapshot, known)
  return known
}

const freshness = new WeakMap<SnapshotInfo, string>()

async function readPage(services: Services, viewer: Reader, list: LeadList, query: LeadQuery) {
  const { kind } = LISTS[list]
  const { table, snapshot } = await currentLeads(services, viewer, kind)
  const [otherList, context] = await Promise.all([
    leadsOrNull(services, viewer, OTHER_KIND[kind]),
    selectionContext(services, viewer, kind, 'visit'),
  ])
  const { place: wanted, until, ...shown } = query
  const leftOut = cameAfter(table, until, context)
  const { sort, offset: _from, limit: _size, ...filter } = shown
  const basis = { table, otherList, triage: services.triage.changes() }
  let selected: ReturnType<typeof withoutNewer> | null = null
  const select = () =>
    (selected ??= withoutNewer(table, matchingRows(services, viewer, table, filter, context), leftOut))
  const order = { ...shown, schoolSortKey: schoolSortKeys(services), isWaiting: waitingRows(table, context) }
  const make = async (): Promise<MadePage> => {
    const { rows, ...newer } = select()
    const items = await itemsOf(services, viewer, basis, pageRows(table, rows, order), context)
    return { items, total: rows.length, more: moreOf([newer], [{ context }]) }
  }
  const schools = sort === 'school' && services.feed.highSchools().version
  const name = JSON.stringify([keyOf(viewer, table, shown, context), schools, until, ...idsOf(table, leftOut.own)])
  const page = await services.sharedPages.of(name, basis, make)
  const place = wanted === undefined ? {} : { place: placeOf(table, select().rows, table.rowOf(wanted), order) }
  if (query.id !== undefined) {
    const opened = page.items.map(({ id }) => id)
    services.openings.add(viewer.id, kind, opened)
  }
  return { page, snapshot, place }
}

/** By these a page is the same page in the next table, where each row has another number. */
export function idsOf({ id }: LeadTable, rows: Iterable<number>): (string | undefined)[] {
  return Array.from(rows, (row) => id[row])
}

type Newer = { waiting: number; newest: number }

/** What a page says of the leads that it leaves out, and which year goes without saying. */
export function moreOf(newer: readonly Newer[], lists: readonly { context: Pick<SelectionContext, 'work'> }[]) {
  const newest = Math.max(...newer.map((part) => part.newest))
  return {
    waiting: newer.reduce((sum, { waiting }) => sum + waiting, 0),
    newest: newest === -Infinity ? null : new Date(newest).toISOString(),
    cohort: lists[0]?.context.work.cohort ?? null,
  }
}

/** These rows of a table, with what the staff did about them and whose they are. One item serves every screen of a scope. */
export async function itemsOf(
  services: Services,
  viewer: Reader,
  basis: Basis,
  rows: readonly number[],
  context: SelectionContext,
): Promise<Item[]> {
  const scope = JSON.stringify([scopeKey(viewer), context.work.key, basis.table.protection?.key])
  const known = services.leadItems.of(scope, basis, () => new Map())
  const missing = rows.filter((row) => !known.has(row))
  const made = missing.length === 0 ? [] : await makeItems(services, basis, missing, context)
  const byRow = new Map(made.map((item, at) => [missing[at], item]))
  // A name that cannot be read now may be readable next time.
  for (const [row, item] of byRow) if (row !== undefined && isWhole(item)) known.set(row, item)
  return rows.flatMap((row) => byRow.get(row) ?? known.get(row) ?? [])
}

async function makeItems(
  services: Services,
  { table, otherList = null }: Basis,
  rows: readonly number[],
  context: SelectionContext,
): Promise<Item[]> {
  const shown = rows.map((row) => ({ row, lead: table.lead(row), mark: markOf(table, row) }))
  const ids = shown.map(({ lead }) => lead.id)
  const [triageOf, workOf, otherTriage] = await Promise.all([
    services.triage.describe(context.triage, ids),
    services.triage.describeWork(table, ids, context),
    otherList === null ? null : services.triage.current(otherList.kind),
  ])
  const lists = [{ table, triage: context.triage }]
  if (otherList !== null && otherTriage !== null) lists.push({ table: otherList, triage: otherTriage })
  const personOf = createPersonFinder(lists, context.schools)
  return shown.map(({ row, lead, mark }) => ({
    ...lead,
    seenAt: new Date(table.seenAt[row] ?? 0).toISOString(),
    triage: triageOf(lead.id),
    ...workOf(row),
    contactId: services.contactIds.of(table.kind, lead),
    person: personOf(table, row),
    ...mark,
  }))
}

export function markOf({ protection }: LeadTable, row: number): { protected?: ProtectedMark } {
  const mark = protection?.marks.get(row)
  return mark === undefined ? {} : { protected: mark }
}

/**
 * Screens show different pages, and hold leads back since different moments: all of them cut one selection. In the
 * table's order, and read only.
 */
export function matchingRows(
  services: Services,
  viewer: Reader,
  table: LeadTable,
  filter: LeadFilter,
  context: SelectionContext,
): Uint32Array {
  const basis = { table, triage: services.triage.changes() }
  const key = keyOf(viewer, table, filter, context)
  return services.selectedRows.of(key, basis, () => selectRows(table, filter, context))
}

/** Equal for all who get the same by this filter or query. */
function keyOf(
  viewer: Reader,
  table: LeadTable,
  query: LeadFilter,
  { viewerId, lastVisitAt, work }: SelectionContext,
): string {
  return JSON.stringify([
    table.kind,
    query,
    scopeKey(viewer),
    work.key,
    table.protection?.key,
    query.assignee?.includes('me') === true && viewerId,
    query.fresh === true && lastVisitAt,
  ])
}
