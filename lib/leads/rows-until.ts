import type { LeadTable } from './lead-table'
import type { SelectionContext } from './select-rows'

/** What is left out of a list, so that nothing moves on screen: rows of its table that came after a moment. */
export type LeftOut = { before: number; own: ReadonlySet<number> }

/** A table is newest first, so these are its first rows, but for those that the user has changed: what one did oneself is shown at once. */
export function cameAfter(
  { createdAt, id, size }: LeadTable,
  until: string | undefined,
  { triage, viewerId }: Pick<SelectionContext, 'triage' | 'viewerId'>,
): LeftOut {
  const moment = until === undefined ? Infinity : Date.parse(until)
  const own = new Set<number>()
  let row = 0
  for (; row < size && (createdAt[row] ?? 0) > moment; row++)
    if (triage.get(id[row] ?? '')?.updatedById === viewerId) own.add(row)
  return { before: row, own }
}

/** `newest`: when the newest of the others came, ms; -Infinity where there is none. */
export function withoutNewer({ createdAt }: LeadTable, all: Uint32Array, { before, own }: LeftOut) {
  const first = all.findIndex((row) => row >= before)
  const newer = first === -1 ? all : all.subarray(0, first)
  const shown = newer.filter((row) => own.has(row))
  const others = all.subarray(newer.length)
  const rows = shown.length === 0 ? others : Uint32Array.from([...shown, ...others])
  return {
    rows,
    waiting: newer.length - shown.length,
    newest: rows.length === 0 ? -Infinity : (createdAt[rows[0] ?? 0] ?? 0),
  }
}
