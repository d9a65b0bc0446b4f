/** Marked leads by id, and from where a range reaches; or everything that matches, however much that is. */
export type Selection = {
  ids: ReadonlySet<string>
  /** Every lead that matches the filter, also those nobody has scrolled to. */
  isAll: boolean
  anchor: string | null
}

export const NOTHING_MARKED: Selection = { ids: new Set(), isAll: false, anchor: null }
export const ALL_MARKED: Selection = { ids: new Set(), isAll: true, anchor: null }

export function isMarked({ ids, isAll }: Selection, id: string): boolean {
  return isAll || ids.has(id)
}

export function markedCount({ ids, isAll }: Selection, total: number): number {
  return isAll ? total : ids.size
}

/**
 * Marks or unmarks one. Whoever takes one away from "all that match" goes on with `shown`, the rows they can see, without it:
 * what is marked is always exactly what the screen can show.
 */
export function toggled(selection: Selection, id: string, shown: readonly string[]): Selection {
  const ids = new Set(selection.isAll ? shown : selection.ids)
  if (!ids.delete(id)) ids.add(id)
  return { ids, isAll: false, anchor: id }
}

/** Marks all of a range besides what is marked already. */
export function withRange(selection: Selection, range: readonly string[], end: string): Selection {
  if (selection.isAll) return selection
  return { ids: new Set([...selection.ids, ...range]), isAll: false, anchor: end }
}
