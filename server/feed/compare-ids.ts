import 'server-only'
import type { LeadTable } from '@/lib/leads/lead-table'
import type { Pausable } from './pausable'

type Ids = Pick<LeadTable, 'id' | 'size' | 'rowOf'>
type Comparison = { from: Int32Array; departed: string[] }

const ROWS_PER_PAUSE = 4_096

/**
 * From which row of the table before each row comes (-1: from none), and which leads are gone. Both are in nearly the
 * same order, so they are walked together, and only what differs is looked up.
 */
export function* compareIds(before: Ids, table: Ids): Pausable<Comparison> {
  const from = new Int32Array(table.size).fill(-1)
  const departed: string[] = []
  let row = 0
  let old = 0
  for (let step = 1; row < table.size || old < before.size; step++) {
    if (step % ROWS_PER_PAUSE === 0) yield
    const [id, other] = [table.id[row], before.id[old]]
    if (id !== undefined && id === other) {
      from[row++] = old++
      continue
    }
    const cameFrom = id === undefined ? -1 : before.rowOf(id)
    const wentTo = other === undefined ? -1 : table.rowOf(other)
    // Of two that have changed places the one that has moved further is passed.
    if (
      other !== undefined &&
      (id === undefined || wentTo < row || (cameFrom > old && wentTo - row >= cameFrom - old))
    ) {
      if (wentTo === -1) departed.push(other)
      old++
    } else from[row++] = cameFrom
  }
  return { from, departed }
}
