import { type LeadItem, type LeadPage, PAGE_SIZE } from '@/lib/api/leads'
import type { LeadKey } from '@/lib/leads/lead-key'
import { toLeadKey } from './lead-text'

type LoadedPage = { offset: number; page: LeadPage }

/** What a list is made of at one moment. Where two pages have the same row, the later page counts. */
export type LoadedRows = { pages: readonly LoadedPage[]; total: number }

/**
 * While a pointer is over the rows or a finger on them, each row keeps the place that it had at the moment `held`, the
 * ones that have left too; what they say of their leads is of `now`. Pages that come meanwhile are added.
 */
export function freezeRows(frozen: LoadedRows, incoming: LoadedRows): LoadedRows {
  const newest = new Map(incoming.pages.flatMap(({ page }) => page.items.map((item) => [toLeadKey(item), item])))
  const offsets = new Set(frozen.pages.map(({ offset }) => offset))
  const stay = ({ offset, page }: LoadedPage): LoadedPage => ({
    offset,
    page: { ...page, items: page.items.map((item) => newest.get(toLeadKey(item)) ?? item) },
  })
  const addedPages = incoming.pages.filter(({ offset }) => !offsets.has(offset))
  return { pages: [...addedPages, ...frozen.pages.map(stay)], total: frozen.total }
}

/** Undefined while its page is not loaded. */
export function rowAt(index: number, { pages, total }: LoadedRows): LeadItem | undefined {
  // An older page may reach below the last row.
  if (index < 0 || index >= total) return undefined
  for (const { offset, page } of pages.toReversed()) {
    const item = page.items[index - offset]
    if (item !== undefined) return item
  }
  return undefined
}

/** -1 where it is not loaded. */
export function indexOfLead(key: LeadKey, { pages }: LoadedRows): number {
  for (const { offset, page } of pages.toReversed()) {
    const place = page.items.findIndex((item) => toLeadKey(item) === key)
    if (place !== -1) return offset + place
  }
  return -1
}

export function listPageOffsets(first: number, last: number, total: number): number[] {
  const from = Math.floor(Math.max(0, first) / PAGE_SIZE)
  const to = Math.floor(Math.min(Math.max(0, last), Math.max(0, total - 1)) / PAGE_SIZE)
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, page) => (from + page) * PAGE_SIZE)
}
