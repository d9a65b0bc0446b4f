import type { LeadTable } from './lead-table'
import type { SelectionContext } from './select-rows'

/** What is left out of a list, so that nothing moves on screen: rows of its table that came after a moment. */
export type LeftOut = { rows: ReadonlySet<number>; own: ReadonlySet<number> }

const lastSeen = new WeakMap<Float64Array, number>()

/** By when they were first seen, but for those that the user has changed: what one did oneself is shown at once. */
export function cameAfter(
  { seenAt, id, size }: LeadTable,
  until: string | undefined,
  { triage, viewerId }: Pick<SelectionContext, 'triage' | 'viewerId'>,
): LeftOut {
  const leftOut = { rows: new Set<number>(), own: new Set<number>() }
  const moment = until === undefined ? Infinity : Date.parse(until)
  // Most requests leave nothing out, and need not look at every row to know.
  const last = lastSeen.get(seenAt) ?? seenAt.reduce((latest, seen) => Math.max(latest, seen), -Infinity)
  lastSeen.set(seenAt, last)
  if (last <= moment) return leftOut
  for (let row = 0; row < size; row++) {
    if ((seenAt[row] ?? 0) <= moment) continue
    const isOwn = triage.get(id[row] ?? '')?.updatedById === viewerId
    leftOut[isOwn ? 'own' : 'rows'].add(row)
  }
  return leftOut
}

/** `newest`: when the last of the others was first seen, ms; -Infinity where there is none. */
export function withoutNewer({ seenAt }: LeadTable, all: Uint32Array, { rows: leftOut }: LeftOut) {
  const rows = leftOut.size === 0 ? all : all.filter((row) => !leftOut.has(row))
  let newest = -Infinity
  for (const row of rows) newest = Math.max(newest, seenAt[row] ?? newest)
  return { rows, waiting: all.length - rows.length, newest }
}
