import { type LeadItem, type LeadPage, PAGE_SIZE } from '@/lib/api/leads'
import type { LeadKey } from '@/lib/leads/lead-key'
import { toLeadKey } from './lead-text'

type LoadedPage = { offset: number; page: LeadPage }

/** The loaded pages of a list. Where two have the same row, the later page counts. */
export type LoadedRows = { pages: readonly LoadedPage[]; total: number }

/** Keeps each row at its position with its newest content, even if its lead has left. New pages are added. */
export function freezeRows(frozen: LoadedRows, incoming: LoadedRows): LoadedRows {
  const newestItems = new Map(incoming.pages.flatMap(({ page }) => page.items.map((item) => [toLeadKey(item), item])))
  const frozenOffsets = new Set(frozen.pages.map(({ offset }) => offset))
  const updateItems = ({ offset, page }: LoadedPage): LoadedPage => ({
    offset,
    page: { ...page, items: page.items.map((item) => newestItems.get(toLeadKey(item)) ?? item) },
  })
  const addedPages = incoming.pages.filter(({ offset }) => !frozenOffsets.has(offset))
  return { pages: [...addedPages, ...frozen.pages.map(updateItems)], total: frozen.total }
}

export function rowAt(index: number, { pages, total }: LoadedRows): LeadItem | undefined {
  // An older page may reach below the last row.
  if (index < 0 || index >= total) return undefined
  for (const { offset, page } of pages.toReversed()) {
    const item = page.items[index - offset]
    if (item !== undefined) return item
  }
  return undefined
}

export function findLeadIndex(key: LeadKey, { pages }: LoadedRows): number {
  for (const { offset, page } of pages.toReversed()) {
    const index = page.items.findIndex((item) => toLeadKey(item) === key)
    if (index !== -1) return offset + index
  }
  return -1
}

export function listPageOffsets(first: number, last: number, total: number): number[] {
  const firstPage = Math.floor(Math.max(0, first) / PAGE_SIZE)
  const lastPage = Math.floor(Math.min(Math.max(0, last), Math.max(0, total - 1)) / PAGE_SIZE)
  return Array.from({ length: Math.max(0, lastPage - firstPage + 1) }, (_, index) => (firstPage + index) * PAGE_SIZE)
}
