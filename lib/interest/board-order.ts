import { sizeOf } from './axis'
import type { BoardRow, SchoolOnBoard } from './board'

type Measured = 'now' | 'before' | 'change' | 'forecast' | 'waiting' | 'withinGoal'
export type BoardColumn = 'school' | Measured
export type BoardOrder = { column: BoardColumn; isBestFirst: boolean }

/** What a column hopes to be large; null is not known, and comes last. */
const worth: Record<Measured, (row: BoardRow) => number | null> = {
  now: ({ now }) => sizeOf(now),
  before: ({ before }) => before && sizeOf(before),
  change: ({ change }) => change,
  forecast: ({ forecast, beforeInAll }) =>
    forecast && beforeInAll ? (forecast.low + forecast.high) / 2 / sizeOf(beforeInAll) : null,
  waiting: ({ waiting, late }) => -(sizeOf(late) * 10_000 + sizeOf(waiting)),
  withinGoal: ({ withinGoal }) => withinGoal,
}

/** The worst first, or the best; of equal ones as they were, which is by name. */
export function orderedRows(rows: readonly SchoolOnBoard[], { column, isBestFirst }: BoardOrder): SchoolOnBoard[] {
  if (column === 'school') return isBestFirst ? rows.toReversed() : [...rows]
  const worthOf = worth[column]
  const sign = isBestFirst ? -1 : 1
  return rows.toSorted((a, b) => {
    const [one, other] = [worthOf(a), worthOf(b)]
    if (one === null || other === null) return Number(one === null) - Number(other === null)
    return (one - other) * sign
  })
}
