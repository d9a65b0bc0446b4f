import 'server-only'
import { hash, randomUUID } from 'node:crypto'
import type {
  AskedQuestionItem,
  AskedQuestionsPage,
  DeclarationOfInterestItem,
  DeclarationsPage,
  LeadKind,
  LeadList,
} from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import type { LeadQuery, PagePart } from '@/lib/contract/list-query'
import type { LeadTable } from '@/lib/leads/lead-table'
import { pageRows, placeOf } from '@/lib/leads/page-rows'
import { type SelectionContext, selectRows } from '@/lib/leads/select-rows'
import { type Allowed, reachOf } from '@/server/access/viewer'
import type { ContactIds } from '@/server/contacts/contact-id'
import type { TriageBoard } from '@/server/triage/triage-board'
import { type SchoolParts, schoolSortKeys } from './high-schools'
import { currentLeads, type SelectionParts, visitContext } from './select-leads'
import { type Basis, createRecent, createShared } from './shared'

type Parts = SelectionParts &
  SchoolParts & {
    triage: Pick<TriageBoard, 'current' | 'describe' | 'changes'>
    contactIds: ContactIds
    sharedPages: SharedPages
  }

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
  const { page, snapshot, place } = await readPage(parts, viewer, list, query)
  const { items, total, etag } = page
  return { [LISTS[list].field]: items, total, snapshot, etag, ...place } as AskedQuestionsPage | DeclarationsPage
}

/**
 * The same as an answer over HTTP. Whoever says which page they `known` are sent what is other in it; whoever names it as
 * `If-None-Match` (RFC 9110, section 13.1.2) is told that nothing is.
 */
export async function answerList(
  parts: Parts,
  viewer: Allowed<'leads:read'>,
  list: LeadList,
  { known, ...query }: LeadQuery & { known?: string | undefined },
  request: Request,
): Promise<Response> {
  const { page, snapshot, place } = await readPage(parts, viewer, list, query)
  const headers = { 'content-type': 'application/json', etag: `W/"${page.etag}"` }
  if (request.headers.get('if-none-match') === headers.etag) return new Response(null, { status: 304, headers })
  const pieces = known === undefined ? null : parts.sharedPages.partsSince(page, known)
  const leads =
    pieces === null
      ? `"${LISTS[list].field}":[${page.texts.join(',')}]`
      : `"parts":[${pieces.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join(',')}]`
  const rest = { total: page.total, snapshot, ...(known !== undefined && { etag: page.etag }), ...place }
  return new Response(`{${leads},${JSON.stringify(rest).slice(1)}`, { headers })
}

async function readPage(parts: Parts, viewer: Allowed<'leads:read'>, list: LeadList, query: LeadQuery) {
  const { kind } = LISTS[list]
  const { table, snapshot } = await currentLeads(parts, kind)
  const context = await visitContext(parts, viewer, kind)
  const { place: wanted, ...shown } = query
  const make = () => makePage(parts, table, shown, context)
  const basis = { table, triage: parts.triage.changes() }
  const page = await parts.sharedPages.of(keyOf(parts, viewer, { ...shown, kind }, context), basis, make)
  if (wanted === undefined) return { page, snapshot, place: {} }
  const rows = selectRows(table, query, context)
  const order = { ...query, schoolSortKey: schoolSortKeys(parts) }
  return { page, snapshot, place: { place: placeOf(table, rows, table.rowOf(wanted), order) } }
}

async function makePage(
  parts: Parts,
  table: LeadTable,
  query: LeadQuery,
  context: SelectionContext,
): Promise<Pick<SharedPage, 'items' | 'total'>> {
  const rows = selectRows(table, query, context)
  const order = { ...query, schoolSortKey: schoolSortKeys(parts) }
  const leads = pageRows(table, rows, order).map((row) => table.lead(row))
  const triageOf = await parts.triage.describe(
    context.triage,
    leads.map((lead) => lead.id),
  )
  const items = leads.map((lead) => ({
    ...lead,
    triage: triageOf(lead.id),
    contactId: parts.contactIds.of(table.kind, lead),
  }))
  return { items, total: rows.length }
}

/** Everything that a page depends on besides the leads and their triage. */
function keyOf(
  { feed }: Parts,
  viewer: Allowed<'leads:read'>,
  query: LeadQuery & { kind: LeadKind },
  { viewerId, lastVisitAt }: SelectionContext,
): string {
  return JSON.stringify([
    query,
    reachOf(viewer),
    query.assignee?.includes('me') === true && viewerId,
    query.fresh === true && lastVisitAt,
    query.sort === 'school' && feed.highSchools().version,
  ])
}

type Item = AskedQuestionItem | DeclarationOfInterestItem

/** A page of a list as all see it who see the same leads and ask for the same. */
export type SharedPage = {
  readonly items: readonly Item[]
  /** The same items in JSON. */
  readonly texts: readonly string[]
  /** How many leads match in all. */
  readonly total: number
  /** Names this content, and no other of this process or any before it. */
  readonly etag: string
  /** Who sees what, and the query. */
  readonly key: string
}

type MadePage = Pick<SharedPage, 'items' | 'total'>

export type SharedPages = {
  /** The page under this key, made anew only when its basis is another one. */
  of: (key: string, basis: Basis, make: () => Promise<MadePage>) => Promise<SharedPage>
  /**
   * The page by what is other than in the one with this etag; null when that is not known any more, or was made for others:
   * where something stands in what they see is theirs alone to know.
   */
  partsSince: (page: SharedPage, known: string) => readonly PagePart<string>[] | null
}

const MOST_PAGES = 200
const MOST_KNOWN = 2_000

/**
 * Pages made once for everybody: a thousand browsers that hear of the same new lead cost one selection and one text. Of
 * older pages only what names each item is kept, so that a browser which has one is sent no more than what is new.
 */
export function createSharedPages(): SharedPages {
  const pages = createShared<Promise<SharedPage>>(MOST_PAGES)
  const known = createRecent<{ key: string; names: readonly string[] }>(MOST_KNOWN)
  const parts = new WeakMap<SharedPage, Map<string, readonly PagePart<string>[]>>()
  const process = randomUUID().slice(0, 8)
  let made = 0
  const share = (key: string, { items, total }: MadePage): SharedPage => {
    const texts = items.map((item) => JSON.stringify(item))
    const etag = `${process}-${++made}`
    known.set(etag, { key, names: texts.map(nameOf) })
    return { items, texts, total, etag, key }
  }
  return {
    of: (key, basis, make) =>
      pages.of(key, basis, () => {
        const page = make().then((made) => share(key, made))
        page.catch(() => pages.drop(key))
        return page
      }),
    partsSince: (page, etag) => {
      const before = known.get(etag)
      if (before?.key !== page.key) return null
      const written = parts.get(page) ?? new Map<string, readonly PagePart<string>[]>()
      parts.set(page, written)
      const found = written.get(etag) ?? partsOf(page.texts, before.names)
      written.set(etag, found)
      return found
    },
  }
}

function nameOf(text: string): string {
  return hash('sha1', text, 'base64').slice(0, 16)
}

/** Each item that was not there before, and each stretch of those that were: the first one's place, and how many. */
function partsOf(texts: readonly string[], before: readonly string[]): PagePart<string>[] {
  const places = new Map(before.map((name, place) => [name, place]))
  const parts: PagePart<string>[] = []
  for (const text of texts) {
    const place = places.get(nameOf(text))
    const last = parts.at(-1)
    if (place === undefined) parts.push(text)
    else if (typeof last === 'object' && last[0] + last[1] === place) parts[parts.length - 1] = [last[0], last[1] + 1]
    else parts.push([place, 1])
  }
  return parts
}
