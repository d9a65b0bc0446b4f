/** The rows from `first` to `last`, both included; nothing when `last` is before `first`. */
export type RowRange = { first: number; last: number }

/** The rows of one height that a scrolled window shows, and `spare` more on either side for what scrolls in next. */
export function visibleRows(
  scrollTop: number,
  height: number,
  rowHeight: number,
  count: number,
  spare: number,
): RowRange {
  const first = Math.floor(Math.max(0, scrollTop) / rowHeight)
  const last = Math.ceil((Math.max(0, scrollTop) + height) / rowHeight) - 1
  return { first: Math.max(0, Math.min(first, count) - spare), last: Math.min(count - 1, last + spare) }
}

/** Where to scroll so that a row is wholly in sight, by the shortest way; the same place when it is already. */
export function scrollTopFor(row: number, scrollTop: number, height: number, rowHeight: number): number {
  const top = row * rowHeight
  if (top < scrollTop) return top
  return Math.max(scrollTop, top + rowHeight - height)
}
