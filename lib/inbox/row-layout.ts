import type { Deadlines } from '@/lib/contract/list-query'

/** `row` is the first row below the heading; `count`, if the server knows it, the number of rows up to the next one. */
export type RowHeading = {
  kind: 'new' | 'earlier' | 'late' | 'today' | 'tomorrow' | 'later'
  row: number
  count?: number
}

export type RowLayout = { count: number; rowHeight: number; headings: readonly RowHeading[] }

/** Heights are in rem and fixed, so that no row is measured. In the list of questions a row has a third line. */
export const ROW_HEIGHTS = { 'asked-questions': 4.875, 'declarations-of-interest': 3.625, queue: 3.625 } as const
export const HEADING_HEIGHT = 1.875

export function findRowTop(index: number, { rowHeight, headings }: RowLayout): number {
  return index * rowHeight + HEADING_HEIGHT * headings.filter(({ row }) => row <= index).length
}

export function findRowAt(top: number, layout: RowLayout): number {
  const { rowHeight, headings } = layout
  const headingsAbove = headings.filter(({ row }) => findRowTop(row, layout) - HEADING_HEIGHT <= top)
  const rowsAbove = Math.floor((top - HEADING_HEIGHT * headingsAbove.length) / rowHeight)
  return Math.max(0, headingsAbove.at(-1)?.row ?? 0, rowsAbove)
}

export function computeHeight(layout: RowLayout): number {
  return layout.count === 0 ? 0 : findRowTop(layout.count - 1, layout) + layout.rowHeight
}

export type RowRange = { first: number; last: number }

/** A row is visible if at least one pixel of it is in sight. */
const PIXEL_REM = 1 / 16

/** Adds `overscanCount` rows on either side. `scrollTop` is negative while the list begins below the window. */
export function findVisibleRows(scrollTop: number, height: number, layout: RowLayout, overscanCount: number): RowRange {
  const first = findRowAt(Math.max(0, scrollTop), layout)
  const last = Math.max(first, findRowAt(scrollTop + height - PIXEL_REM, layout))
  const { count } = layout
  return { first: Math.max(0, Math.min(first, count) - overscanCount), last: Math.min(count - 1, last + overscanCount) }
}

/** Counts the new rows at the top. If all that are loaded are new, the number is the server's, which may be old. */
export function countFreshRows(serverCount: number, rowCount: number, isFresh: (row: number) => boolean | undefined) {
  let row = 0
  while (row < rowCount && isFresh(row) === true) row += 1
  return row < rowCount && isFresh(row) === undefined ? Math.max(row, Math.min(serverCount, rowCount)) : row
}

/** Returns no headings for a list, which has no `deadlines`, and none if all leads of a queue have the same one. */
export function createDeadlineHeadings(deadlines: Deadlines | undefined): RowHeading[] {
  let row = 0
  const headings = (['late', 'today', 'tomorrow', 'later'] as const).flatMap((kind) => {
    const heading = { kind, row, count: deadlines?.[kind] ?? 0 }
    row += heading.count
    return heading.count > 0 ? [heading] : []
  })
  return headings.length > 1 ? headings : []
}
