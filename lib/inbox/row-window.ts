import { PAGE_SIZE, type LeadItem, type LeadPage } from '@/lib/api/lead-page'
import type { HeldRows } from './held-rows'

export type LoadedPage<Item extends LeadItem = LeadItem> = { offset: number; page: LeadPage<Item> }

/** The lead at a place on screen, or undefined while its page is not there. Later pages in `pages` go first. */
export function rowAt<Item extends LeadItem>(
  index: number,
  pages: readonly LoadedPage<Item>[],
  held: HeldRows,
): Item | undefined {
  for (const { offset, page } of pages.toReversed()) {
    const shift = held.shiftOf.get(page.snapshot.version) ?? held.held
    const item = page.items[index + shift - offset]
    if (item !== undefined) return item
  }
  return undefined
}

/** The place on screen of a loaded lead, or -1; one held back has none. */
export function indexOfLead(id: string, pages: readonly LoadedPage[], held: HeldRows): number {
  for (const { offset, page } of pages.toReversed()) {
    const place = page.items.findIndex((item) => item.id === id)
    if (place === -1) continue
    return Math.max(-1, offset + place - (held.shiftOf.get(page.snapshot.version) ?? held.held))
  }
  return -1
}

/** The server's offsets of the pages that the rows from `first` to `last` on screen lie on. */
export function offsetsOf(first: number, last: number, held: number, total: number): number[] {
  const from = Math.floor((Math.max(0, first) + held) / PAGE_SIZE)
  const to = Math.floor(Math.min(Math.max(0, last) + held, Math.max(0, total - 1)) / PAGE_SIZE)
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, page) => (from + page) * PAGE_SIZE)
}
