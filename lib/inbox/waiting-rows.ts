import { type LeadItem, type LeadPage, PAGE_SIZE } from '@/lib/api/leads'
import type { Sort } from '@/lib/contract/list-query'
import { keyOf } from './lead-text'
import type { LeadKey } from '@/lib/leads/lead-key'

/**
 * New leads must not move what a user is reading: a row's place on screen is its place on the server minus the rows
 * held back above it. Each version has its own such number, so that older pages stay where they were.
 */
export type WaitingRows = {
  /** Rows of the newest version that wait under the button. */
  waiting: number
  /** Per version: how many of its first rows are not shown; negative for an old one. */
  shiftOf: ReadonlyMap<number, number>
  /** Rows shown now or before: one that comes back (after undo) is not new. */
  known: readonly LeadKey[]
  total: number
}

type Head = Pick<LeadPage, 'items' | 'total' | 'snapshot'>

export function firstRows(head: Head): WaitingRows {
  return {
    waiting: 0,
    shiftOf: new Map([[head.snapshot.version, 0]]),
    known: head.items.map(keyOf),
    total: head.total,
  }
}

/** After the first page was read again. Only in the newest-first order new rows come on top. */
export function withFirstPage(before: WaitingRows, head: Head, sort: Sort | undefined): WaitingRows {
  const waiting = sort === '-createdAt' ? rowsAbove(before, head) : 0
  return {
    waiting,
    shiftOf: recent(new Map(before.shiftOf).set(head.snapshot.version, waiting)),
    known: known(head.items.slice(waiting), before),
    total: head.total,
  }
}

export function showWaiting(before: WaitingRows, head: Head): WaitingRows {
  return {
    waiting: 0,
    shiftOf: new Map([...before.shiftOf].map(([version, shift]) => [version, shift - before.waiting])),
    known: known(head.items, before),
    total: head.total,
  }
}

export type LoadedPage = { offset: number; page: LeadPage }

/** What the list is made of at one moment. */
export type ListMoment = { pages: readonly LoadedPage[]; rows: WaitingRows }

/**
 * While a pointer is over the rows or a finger on them, each row keeps the place that it had at the moment `held`, the
 * ones that have left too; what they say of their leads is of `now`. Pages that come meanwhile are added.
 */
export function inTheirPlaces(held: ListMoment, now: ListMoment): ListMoment {
  const newest = new Map(now.pages.flatMap(({ page }) => page.items.map((item) => [keyOf(item), item])))
  const offsets = new Set(held.pages.map(({ offset }) => offset))
  const stay = ({ offset, page }: LoadedPage): LoadedPage => ({
    offset,
    page: { ...page, items: page.items.map((item) => newest.get(keyOf(item)) ?? item) },
  })
  return {
    pages: [...now.pages.filter(({ offset }) => !offsets.has(offset)), ...held.pages.map(stay)],
    rows: { ...held.rows, shiftOf: new Map([...now.rows.shiftOf, ...held.rows.shiftOf]) },
  }
}

/** Undefined while its page is not loaded. Later pages in `pages` go first. */
export function rowAt(index: number, pages: readonly LoadedPage[], rows: WaitingRows): LeadItem | undefined {
  // A waiting row is above the first place, and an older page may reach below the last.
  if (index < 0 || index >= rows.total - rows.waiting) return undefined
  for (const { offset, page } of pages.toReversed()) {
    const shift = rows.shiftOf.get(page.snapshot.version) ?? rows.waiting
    const item = page.items[index + shift - offset]
    if (item !== undefined) return item
  }
  return undefined
}

export function indexOfLead(key: LeadKey, pages: readonly LoadedPage[], rows: WaitingRows): number {
  for (const { offset, page } of pages.toReversed()) {
    const place = page.items.findIndex((item) => keyOf(item) === key)
    if (place === -1) continue
    return Math.max(-1, offset + place - (rows.shiftOf.get(page.snapshot.version) ?? rows.waiting))
  }
  return -1
}

export function offsetsOf(first: number, last: number, waiting: number, total: number): number[] {
  const from = Math.floor((Math.max(0, first) + waiting) / PAGE_SIZE)
  const to = Math.floor(Math.min(Math.max(0, last) + waiting, Math.max(0, total - 1)) / PAGE_SIZE)
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, page) => (from + page) * PAGE_SIZE)
}

/** Unseen rows above the first row that is still there. */
function rowsAbove(before: WaitingRows, head: Head): number {
  if (before.known.length === 0) return 0
  const keys = new Set(before.known)
  const place = head.items.findIndex((item) => keys.has(keyOf(item)))
  if (place !== -1) return place
  return Math.max(0, Math.min(head.total, head.total - before.total + before.waiting))
}

const MOST_IDS = 500
const MOST_VERSIONS = 20

function known(shown: Head['items'], before: WaitingRows): readonly LeadKey[] {
  return [...new Set([...shown.map(keyOf), ...before.known])].slice(0, MOST_IDS)
}

function recent(shiftOf: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  return new Map([...shiftOf].slice(-MOST_VERSIONS))
}
