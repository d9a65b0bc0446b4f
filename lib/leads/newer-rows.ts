import type { LeadTable } from './lead-table'
import type { SelectionContext } from './select-rows'

/** These rows came after the user read a list. The `others` are not shown yet, so that nothing moves on screen. */
type NewerRows = { others: ReadonlySet<number>; own: ReadonlySet<number> }

/** Finds the leads that Intag first had after `until` (ISO 8601). Leads last changed by the user are `own`. */
export function findNewerRows(
  { seenAt, id, size }: LeadTable,
  until: string | undefined,
  { triage, viewerId }: Pick<SelectionContext, 'triage' | 'viewerId'>,
): NewerRows {
  const newerRows = { others: new Set<number>(), own: new Set<number>() }
  if (until === undefined) return newerRows
  const untilMs = Date.parse(until)
  for (let row = 0; row < size; row++) {
    if ((seenAt[row] ?? 0) <= untilMs) continue
    const isOwn = triage.get(id[row] ?? '')?.updatedById === viewerId
    newerRows[isOwn ? 'own' : 'others'].add(row)
  }
  return newerRows
}

/** Leaves out and counts the newer rows of others. `newest` is the last `seenAt` (ms) of the rest, or -Infinity. */
export function omitNewer({ seenAt }: LeadTable, allRows: Uint32Array, { others }: NewerRows) {
  const rows = others.size === 0 ? allRows : allRows.filter((row) => !others.has(row))
  let newest = -Infinity
  for (const row of rows) newest = Math.max(newest, seenAt[row] ?? newest)
  return { rows, waiting: allRows.length - rows.length, newest }
}

export function summarizeNewer(lists: readonly { waiting: number; newest: number }[]) {
  const newest = Math.max(...lists.map((list) => list.newest))
  return {
    waiting: lists.reduce((sum, { waiting }) => sum + waiting, 0),
    newest: newest === -Infinity ? null : new Date(newest).toISOString(),
  }
}
