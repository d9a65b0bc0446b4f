import type { LeadPage } from '@/lib/api/lead-page'
import type { Sort } from '@/lib/contract/list-query'

/**
 * New leads must not move what a person is reading. So a row's place on screen is its place on the server minus the rows
 * that are held back above it, and every version of the list has its own such number: pages of an older version, still
 * on screen while newer ones are on their way, stay where they were.
 */
export type HeldRows = {
  /** Rows of the newest version held back; what the button counts. */
  held: number
  /** Per version: how many of its first rows are not shown. Negative for a version older than what was let in since. */
  shiftOf: ReadonlyMap<number, number>
  /** The first rows shown now or before: one that comes back among them (a decision taken back) is no new one. */
  knownIds: readonly string[]
  total: number
}

type Head = Pick<LeadPage, 'items' | 'total' | 'snapshot'>

export function firstHeldRows(head: Head): HeldRows {
  return {
    held: 0,
    shiftOf: new Map([[head.snapshot.version, 0]]),
    knownIds: head.items.map((item) => item.id),
    total: head.total,
  }
}

/** After the list's first page was read again. Only the newest-first order brings new rows in on top. */
export function withHead(before: HeldRows, head: Head, sort: Sort): HeldRows {
  const held = sort === '-createdAt' ? rowsAbove(before, head) : 0
  return {
    held,
    shiftOf: recent(new Map(before.shiftOf).set(head.snapshot.version, held)),
    knownIds: known(head.items.slice(held), before),
    total: head.total,
  }
}

/** Lets the held rows in on top. */
export function letIn(before: HeldRows, head: Head): HeldRows {
  return {
    held: 0,
    shiftOf: new Map([...before.shiftOf].map(([version, shift]) => [version, shift - before.held])),
    knownIds: known(head.items, before),
    total: head.total,
  }
}

/** How many rows the person does not see yet stand above the first row that is still there. */
function rowsAbove(before: HeldRows, head: Head): number {
  if (before.knownIds.length === 0) return 0
  const ids = new Set(before.knownIds)
  const place = head.items.findIndex((item) => ids.has(item.id))
  if (place !== -1) return place
  return Math.max(0, Math.min(head.total, head.total - before.total + before.held))
}

const KEPT_IDS = 500
const KEPT_VERSIONS = 20

function known(shown: Head['items'], before: HeldRows): readonly string[] {
  return [...new Set([...shown.map((item) => item.id), ...before.knownIds])].slice(0, KEPT_IDS)
}

function recent(shiftOf: ReadonlyMap<number, number>): ReadonlyMap<number, number> {
  return new Map([...shiftOf].slice(-KEPT_VERSIONS))
}
