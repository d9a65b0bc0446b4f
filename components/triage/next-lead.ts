import type { QueryClient } from '@tanstack/react-query'
import {
  isQueue,
  type LeadItem,
  type LeadListQuery,
  leadPage,
  PAGE_SIZE,
  type Place as ListPlace,
} from '@/lib/api/leads'
import { listCounts } from '@/lib/api/queries'
import type { LeadRef } from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import { filterOf } from '@/lib/inbox/filter-params'
import { isPutAside } from '@/lib/inbox/follow-up-days'
import { keyOf } from '@/lib/inbox/lead-text'
import { leadKey } from '@/lib/leads/lead-key'
import type { Pending } from '@/lib/inbox/pending'

type Place = { item: LeadItem; index: number }
export type Found = Place | 'none' | 'too far'
type Rows = { count: number; rowAt: (index: number) => LeadItem | undefined }
type Search = {
  today: string
  me: string | null
  client: QueryClient
  readPending: () => Pending
  list: ListPlace
  query: LeadListQuery
  rows: Rows
  /** Decided about a moment ago, whatever the rows and the server say of them. */
  handled?: readonly LeadRef[]
}

/** Pages that are looked through besides those that are loaded; after that the user may look for themselves. */
const MAX_PAGES = 20

/** The next lead that waits after `place`; with 'too far' nobody knows whether there is one. */
export function nextUnhandled(search: Search, place: number): Found | Promise<Found> {
  const { rows } = search
  const { isWanted, wraps } = wantedIn(search)
  for (let index = place + 1; index < rows.count; index++) {
    const item = rows.rowAt(index)
    if (item === undefined) return lookFurther(search, index, place)
    if (isWanted(item)) return { item, index }
  }
  for (let index = 0; index < (wraps ? place : 0); index++) {
    const item = rows.rowAt(index)
    if (item === undefined) return lookFurther(search, rows.count, place)
    if (isWanted(item)) return { item, index }
  }
  return 'none'
}

async function lookFurther(search: Search, start: number, place: number): Promise<Found> {
  const { client, readPending, list, query, rows } = search
  const { isWanted, wraps } = wantedIn(search)
  const below = offsetsBetween(start, rows.count)
  const above = wraps ? offsetsBetween(0, place) : []
  const offsets = [...below, ...above]
  for (const [turn, offset] of offsets.slice(0, MAX_PAGES).entries()) {
    const page = await client.fetchQuery({ ...leadPage(list, query, offset), staleTime: 5_000 })
    const { items } = readPending().page(page)
    const indexOf = (onPage: number) => offset + onPage
    const isAhead = (index: number) => (turn < below.length ? index >= start : index >= 0 && index < place)
    const at = items.findIndex((item, onPage) => isAhead(indexOf(onPage)) && isWanted(item))
    const item = items[at]
    if (item !== undefined) return { item, index: indexOf(at) }
  }
  return offsets.length > MAX_PAGES ? 'too far' : 'none'
}

function offsetsBetween(first: number, end: number): number[] {
  const start = first - (first % PAGE_SIZE)
  return Array.from({ length: Math.max(0, Math.ceil((end - start) / PAGE_SIZE)) }, (_, at) => start + at * PAGE_SIZE)
}

/** New leads and those in progress that no colleague has, from the whole list; in a list without new ones, the next. */
function wantedIn({ query: { status, snoozed }, me, today, list, handled = [] }: Search): Wanted {
  const done = new Set(handled.map(leadKey))
  const hasNew = status === undefined || status.includes('new')
  // Among those that were put aside, each is one to look at.
  const isAsideWanted = snoozed === true || list === 'snoozed'
  const isThere = (item: LeadItem) => !done.has(keyOf(item)) && (isAsideWanted || !isPutAside(item.snoozeUntil, today))
  const isOpen = ({ triage }: LeadItem) =>
    triage.status === 'new' ||
    (triage.status === 'in-progress' && (triage.assignee === null || triage.assignee.id === me))
  return hasNew
    ? { isWanted: (item) => isOpen(item) && isThere(item), wraps: true }
    : { isWanted: isThere, wraps: false }
}

type Wanted = { isWanted: (item: LeadItem) => boolean; wraps: boolean }

type Shown = Pick<Search, 'client' | 'readPending' | 'list' | 'query'> & {
  rows: { items: () => readonly LeadItem[] }
}

/** How many new leads are left in the list besides those that were decided about. What a queue has left stands in the menu. */
export function newLeft({ client, readPending, list, query, rows }: Shown, decided: readonly LeadRef[]) {
  if (isQueue(list)) return undefined
  const keys = new Set(decided.map(leadKey))
  const seen = rows.items().filter((item) => item.triage.status === 'new' && !keys.has(keyOf(item)))
  const of = { kind: LISTS[list].kind, filter: filterOf(query) }
  const counts = client.getQueryData(listCounts(list, of.filter).queryKey)
  return unhandledLeft(counts && readPending().counts(counts, of), query, seen.length)
}

type Counted = { status: Readonly<Record<string, number>> } | undefined

/** Undefined where it is unknown. The count may be old: what is to be seen counts in any case. */
export function unhandledLeft(counts: Counted, { status }: LeadListQuery, seen: number): number | undefined {
  if (counts === undefined || (status !== undefined && !status.includes('new'))) return undefined
  return Math.max(counts.status['new'] ?? 0, seen)
}
