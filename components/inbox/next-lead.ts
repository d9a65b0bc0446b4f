import type { QueryClient } from '@tanstack/react-query'
import { type LeadItem, type LeadListQuery, leadPage, PAGE_SIZE, type Place as ListPlace } from '@/lib/api/leads'
import { readOwnChanges } from '@/components/app/use-triage'
import type { LeadRef } from '@/lib/contract/lead'
import { keyOf } from '@/lib/inbox/lead-text'
import { foldPage, isPutAside } from '@/lib/inbox/own-changes'
import { leadKey } from '@/lib/leads/lead-key'

type Place = { item: LeadItem; index: number }
export type Found = Place | 'none' | 'too far'
type Rows = { count: number; rowAt: (index: number) => LeadItem | undefined }
type Search = {
  today: string
  me: string | null
  client: QueryClient
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
  const { client, list, query, rows } = search
  const { isWanted, wraps } = wantedIn(search)
  const below = offsetsBetween(start, rows.count)
  const above = wraps ? offsetsBetween(0, place) : []
  const offsets = [...below, ...above]
  for (const [turn, offset] of offsets.slice(0, MAX_PAGES).entries()) {
    const page = await client.fetchQuery({ ...leadPage(list, query, offset), staleTime: 5_000 })
    const { items } = foldPage(readOwnChanges(client), page)
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
