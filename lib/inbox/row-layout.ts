import type { Deadlines } from '@/lib/contract/list-query'

/** `row`: the row that it stands above. `count` where the server has counted what follows. */
export type RowHeading = {
  kind: 'new' | 'earlier' | 'late' | 'today' | 'tomorrow' | 'later'
  row: number
  count?: number
}

/** `headings` are in the order of their rows. */
export type RowLayout = { count: number; rowHeight: number; headings: readonly RowHeading[] }

/** Heights are in rem, and fixed, so that no row is measured. Among questions alone the question has a line of its own. */
export const ROW_HEIGHTS = { 'asked-questions': 4.875, 'declarations-of-interest': 3.625, queue: 3.625 } as const
export const HEADING_HEIGHT = 1.875

export function topOf(index: number, { rowHeight, headings }: Omit<RowLayout, 'count'>): number {
  return index * rowHeight + HEADING_HEIGHT * headings.filter(({ row }) => row <= index).length
}

export function rowAtTop(y: number, layout: Omit<RowLayout, 'count'>): number {
  const { rowHeight, headings } = layout
  const above = headings.filter(({ row }) => topOf(row, layout) - HEADING_HEIGHT <= y)
  return Math.max(0, above.at(-1)?.row ?? 0, Math.floor((y - HEADING_HEIGHT * above.length) / rowHeight))
}

function bottomOf(index: number, layout: RowLayout): number {
  return index < 0 ? 0 : topOf(index, layout) + layout.rowHeight
}

export function heightOf(layout: RowLayout): number {
  return bottomOf(layout.count - 1, layout)
}

export type RowRange = { first: number; last: number }

const PIXEL = 1 / 16

/** At least one, and `spare` more on either side. `scrollTop` is below 0 while the list is below the window. */
export function visibleRows(scrollTop: number, height: number, layout: RowLayout, overscan: number): RowRange {
  const top = Math.max(0, scrollTop)
  const first = rowAtTop(top, layout)
  const last = Math.max(first, rowAtTop(scrollTop + height - PIXEL, layout))
  return { first: Math.max(0, Math.min(first, layout.count) - overscan), last: Math.min(layout.count - 1, last + overscan) }
}

/** Where the list is to be so that the row is in sight, with so many rows above and below it as have room. */
export function scrollTopFor(row: number, scrollTop: number, height: number, layout: RowLayout, context = 0): number {
  const highest = bottomOf(row - context - 1, layout)
  const lowest = bottomOf(Math.min(layout.count - 1, row + context), layout) - height
  if (context > 0 && lowest > highest) return scrollTopFor(row, scrollTop, height, layout, context - 1)
  return highest < scrollTop ? highest : Math.max(scrollTop, lowest)
}

/**
 * New rows at the top. `counted` is the server's number, which may be old, and counts also what came late and stands
 * further down by its date: loaded rows have the last word.
 */
export function countFreshRows(serverCount: number, count: number, isFresh: (index: number) => boolean | undefined): number {
  let known = 0
  while (known < count && isFresh(known) === true) known += 1
  if (known === count || isFresh(known) === false) return known
  let fresh = Math.max(known, Math.min(serverCount, count))
  while (fresh > known && isFresh(fresh - 1) === false) fresh -= 1
  while (fresh < count && isFresh(fresh) === true) fresh += 1
  return fresh
}

/** The headings of a queue, whose rows are by deadline; none where all have the same, and in a list. */
export function deadlineHeadings(deadlines: Deadlines | undefined): RowHeading[] {
  let row = 0
  const headings = (['late', 'today', 'tomorrow', 'later'] as const).flatMap((kind) => {
    const heading = { kind, row, count: deadlines?.[kind] ?? 0 }
    row += heading.count
    return heading.count > 0 ? [heading] : []
  })
  return headings.length > 1 ? headings : []
}
