import 'server-only'
import type { LeadTable } from '@/lib/leads/lead-table'
import type { Pausable } from './pausable'

type Ids = Pick<LeadTable, 'id' | 'size' | 'rowOf'>

const ROWS_PER_PAUSE = 4_096

/**
 * From which row of the table before each row comes (-1: from none), and which leads are gone. Both are in nearly the
 * same order, so they are walked together, and only what differs is looked up.
 */
export function* compareIds(before: Ids | null, table: Ids): Pausable<{ from: Int32Array; departed: string[] }> {
  const from = new Int32Array(table.size).fill(-1)
  const departed: string[] = []
  let old = 0
  const size = before?.size ?? 0
  /** Passes the old row, which is gone or has another place. */
  const passOld = () => {
    const id = before?.id[old] ?? ''
    if (table.rowOf(id) === -1) departed.push(id)
    old++
  }
  for (let row = 0; before !== null && row < table.size; row++) {
    const id = table.id[row] ?? ''
    if (row % ROWS_PER_PAUSE === 0) yield
    if (before.id[old] !== id) {
      const place = before.rowOf(id)
      from[row] = place
      // The one that has moved less is met later.
      while (old < place && isBehind(table.rowOf(before.id[old] ?? ''), row, place - old)) {
        passOld()
        if (old % ROWS_PER_PAUSE === 0) yield
      }
      if (old !== place) continue
    }
    from[row] = old++
  }
  for (; old < size; passOld()) if (old % ROWS_PER_PAUSE === 0) yield
  return { from, departed }
}

function isBehind(place: number, row: number, distance: number): boolean {
  return place < row || place - row >= distance
}
