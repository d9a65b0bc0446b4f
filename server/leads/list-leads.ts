import 'server-only'
import { createHash } from 'node:crypto'
import { personBeside } from '@/lib/contacts/person-beside'
import type { AskedQuestionsPage, DeclarationsPage, LeadKind, LeadList, ProtectedMark } from '@/lib/contract/lead'
import { LISTS, OTHER_KIND } from '@/lib/contract/lists'
import type { LeadQuery, PagePart } from '@/lib/contract/list-query'
import type { LeadTable } from '@/lib/leads/lead-table'
import { pageRows, placeOf } from '@/lib/leads/page-rows'
import { type SelectionContext, selectRows, waitingRows } from '@/lib/leads/select-rows'
import { type Allowed, reachOf, type Viewer } from '@/server/access/viewer'
import type { Reading } from '@/server/activity/reading'
import type { ContactIds } from '@/server/contacts/contact-id'
import type { TriageBoard } from '@/server/triage/triage-board'
import { type SchoolParts, schoolSortKeys } from './high-schools'
import { currentLeads, leadsBeside, type SelectionParts, visitContext } from './select-leads'
import type { SharedPage, SharedPages } from './shared'

type Parts = SelectionParts &
  SchoolParts & {
    triage: Pick<TriageBoard, 'current' | 'describe' | 'describeWork' | 'changes'>
    contactIds: ContactIds
    sharedPages: SharedPages
    reading: Pick<Reading, 'shown' | 'searched' | 'opened'>
  }

/**
 * One page of the leads that the viewer may see and that match, with what the staff decided; recorded as a visit of the list.
 * Throws NotReadyError while the service has never answered.
 */
export async function listLeads(
  parts: Parts,
  viewer: Allowed<'leads:read'>,
  list: LeadList,
  query: LeadQuery,
): Promise<AskedQuestionsPage | DeclarationsPage> {
  const { page, snapshot, place } = await readPage(parts, viewer, list, query)
  const { items, total, etag } = page
  count(parts, viewer, list, query, items)
  return { [LISTS[list].field]: items, total, snapshot, etag, ...place } as AskedQuestionsPage | DeclarationsPage
}

/**
 * The same as an answer over HTTP. Whoever says which page they `known` are sent what is other in it; whoever names it as
 * `If-None-Match` (RFC 9110, section 13.1.2) is told that nothing is, neither in the page nor in how fresh it is.
 */
export function answerList(list: LeadList) {
  return (parts: Parts, viewer: Allowed<'leads:read'>, query: AskedList, { request }: { request: Request }) =>
    answer(parts, viewer, { list, ...query }, request)
}

type AskedList = LeadQuery & { known?: string | undefined }

async function answer(
  parts: Parts,
  viewer: Allowed<'leads:read'>,
  { list, known, ...query }: AskedList & { list: LeadList },
  request: Request,
): Promise<Response> {
  const { page, snapshot, place } = await readPage(parts, viewer, list, query)
  const freshness = createHash('sha1').update(JSON.stringify(snapshot)).digest('base64url')
  const headers = { 'content-type': 'application/json', etag: `W/"${page.etag}.${freshness}"` }
  const isPlace = query.place !== undefined
  if (!isPlace && request.headers.get('if-none-match') === headers.etag)
    return new Response(null, { status: 304, headers })
  const pieces = known === undefined ? null : parts.sharedPages.partsSince(page, known)
  count(parts, viewer, list, query, pieces === null ? page.items : sentItems(page, pieces))
  const leads =
    pieces === null
      ? `"${LISTS[list].field}":[${page.texts.join(',')}]`
      : `"parts":[${pieces.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join(',')}]`
  const rest = { total: page.total, snapshot, ...(known !== undefined && { etag: page.etag }), ...place }
  return new Response(`{${leads},${JSON.stringify(rest).slice(1)}`, { headers })
}

/** What is being sent is what the person is shown: not what their browser has already, as after each new lead. */
function count(
  { reading }: Pick<Parts, 'reading'>,
  { id: userId }: Viewer,
  list: LeadList,
  { q, id }: LeadQuery,
  sent: readonly { id: string }[],
): void {
  const { kind } = LISTS[list]
  reading.searched(userId, q)
  reading.shown(
    userId,
    kind,
    sent.map((item) => item.id),
  )
  // Whoever asks for leads by their ids has opened them.
  if (id !== undefined) for (const item of sent) reading.opened(userId, { kind, id: item.id })
}

/** The items of a page that stand in an answer as they are, and not as a stretch of the page before. */
function sentItems({ items }: SharedPage, pieces: readonly PagePart<string>[]) {
  let place = 0
  return pieces.flatMap((piece) => {
    const from = place
    place += typeof piece === 'string' ? 1 : piece[1]
    return typeof piece === 'string' ? items.slice(from, place) : []
  })
}

async function readPage(parts: Parts, viewer: Allowed<'leads:read'>, list: LeadList, query: LeadQuery) {
  const { kind } = LISTS[list]
  const { table, snapshot } = await currentLeads(parts, viewer, kind)
  const [beside, context] = await Promise.all([
    leadsBeside(parts, viewer, OTHER_KIND[kind]),
    visitContext(parts, viewer, kind),
  ])
  const { place: wanted, ...shown } = query
  const make = () => makePage(parts, { table, beside }, shown, context)
  const basis = { table, beside, triage: parts.triage.changes() }
  const page = await parts.sharedPages.of(keyOf(parts, viewer, { ...shown, kind, table }, context), basis, make)
  if (wanted === undefined) return { page, snapshot, place: {} }
  const rows = selectRows(table, query, context)
  const order = { ...query, schoolSortKey: schoolSortKeys(parts), isWaiting: waitingRows(table, context) }
  return { page, snapshot, place: { place: placeOf(table, rows, table.rowOf(wanted), order) } }
}

async function makePage(
  parts: Parts,
  { table, beside }: { table: LeadTable; beside: LeadTable | null },
  query: LeadQuery,
  context: SelectionContext,
): Promise<Pick<SharedPage, 'items' | 'total'>> {
  const rows = selectRows(table, query, context)
  const order = { ...query, schoolSortKey: schoolSortKeys(parts), isWaiting: waitingRows(table, context) }
  const shown = pageRows(table, rows, order).map((row) => ({ row, lead: table.lead(row), mark: markOf(table, row) }))
  const ids = shown.map(({ lead }) => lead.id)
  const [triageOf, workOf, besides] = await Promise.all([
    parts.triage.describe(context.triage, ids),
    parts.triage.describeWork(table, ids, context),
    beside === null ? null : parts.triage.current(beside.kind),
  ])
  const lists = [{ table, triage: context.triage }]
  if (beside !== null && besides !== null) lists.push({ table: beside, triage: besides })
  const personOf = personBeside(lists, context.schools)
  const items = shown.map(({ row, lead, mark }) => ({
    ...lead,
    triage: triageOf(lead.id),
    ...workOf(row),
    contactId: parts.contactIds.of(table.kind, lead),
    person: personOf(table, row),
    ...mark,
  }))
  return { items, total: rows.length }
}

/** What an item says of a protected identity, if it is one. */
export function markOf({ protection }: LeadTable, row: number): { protected?: ProtectedMark } {
  const mark = protection?.marks.get(row)
  return mark === undefined ? {} : { protected: mark }
}

/** Everything that a page depends on besides the leads and their triage. */
function keyOf(
  { feed }: Parts,
  viewer: Allowed<'leads:read'>,
  { table, ...query }: LeadQuery & { kind: LeadKind; table: LeadTable },
  { viewerId, lastVisitAt, work }: SelectionContext,
): string {
  return JSON.stringify([
    query,
    reachOf(viewer),
    work.key,
    table.protection?.key,
    query.assignee?.includes('me') === true && viewerId,
    query.fresh === true && lastVisitAt,
    query.sort === 'school' && feed.highSchools().version,
  ])
}
