import type { LeadTable } from './lead-table'
import type { SelectionContext } from './select-rows'

/** The rows of a table that came after a moment. A list leaves them out, so that nothing moves on screen. */
export type NewerRows = { others: ReadonlySet<number>; own: ReadonlySet<number> }

/** Judged by when Intag first had a lead. The user’s own changes are apart (`own`), because they are shown at once. */
export function findNewerRows(
  { seenAt, id, size }: LeadTable,
  until: string | undefined,
  { triage, viewerId }: Pick<SelectionContext, 'triage' | 'viewerId'>,
): NewerRows {
  const leftOut = { rows: new Set<number>(), own: new Set<number>() }
  if (until === undefined) return leftOut
  const moment = Date.parse(until)
  for (let row = 0; row < size; row++) {
    if ((seenAt[row] ?? 0) <= moment) continue
    const isOwn = triage.get(id[row] ?? '')?.updatedById === viewerId
    leftOut[isOwn ? 'own' : 'rows'].add(row)
  }
  return leftOut
}

/** `newest` is when Intag first had the last of the other rows (ms), -Infinity without any. */
export function omitNewer({ seenAt }: LeadTable, all: Uint32Array, { others: leftOut }: NewerRows) {
  const rows = leftOut.size === 0 ? all : all.filter((row) => !leftOut.has(row))
  let newest = -Infinity
  for (const row of rows) newest = Math.max(newest, seenAt[row] ?? newest)
  return { rows, waiting: all.length - rows.length, newest }
}
