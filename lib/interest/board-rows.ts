import type { Count } from '@/lib/contract/interest'
import type { HighSchool } from '@/lib/contract/lead'
import { estimateCount } from './rounding'

export type SeasonRow = {
  countSoFar: Count
  /** The count at the same point of the year before; null if it had none, or was not seen from its start. */
  countYearBefore: Count | null
  totalYearBefore: Count | null
  /** The change since the year before (0.18 is 18 % more); null without one, or if a count is too small. */
  change: number | null
  forecast: { low: number; high: number; years: readonly number[] } | null
}
export type WorkRow = {
  waitingCount: Count
  lateCount: Count
  /** The number of leads that met or missed the goal for answers. */
  judgedCount: Count
  /** The share of judged leads that met the goal; null if too few were judged. */
  withinGoalShare: number | null
}
export type BoardRow = SeasonRow & WorkRow
export type SchoolRow = BoardRow & { school: HighSchool }

/** A change of this share or less counts as level, because chance alone makes as much. */
const MAX_LEVEL_CHANGE = 0.06

export function toDirection(change: number | null): 'up' | 'down' | 'level' {
  if (change === null || Math.abs(change) <= MAX_LEVEL_CHANGE) return 'level'
  return change > 0 ? 'up' : 'down'
}

/** The goal is missed if a smaller share of the leads is answered in time. */
export const GOAL_SHARE = 0.9
/** The share of fewer judged leads is only shown in the table: it sorts no school, and is not in the sentence. */
const MIN_JUDGED_COUNT = 25

export const isJudged = ({ judgedCount }: WorkRow) => estimateCount(judgedCount) >= MIN_JUDGED_COUNT

export function isGoalMissed(share: number | null): share is number {
  return share !== null && share < GOAL_SHARE
}

type FigureColumn = 'now' | 'before' | 'change' | 'forecast' | 'waiting' | 'withinGoal'
export type BoardColumn = 'school' | FigureColumn

/** Scores a row by a column: the lower the score, the worse the row. Null is unknown and comes last. */
const scoreByColumn: Record<FigureColumn, (row: BoardRow) => number | null> = {
  now: ({ countSoFar }) => estimateCount(countSoFar),
  before: ({ countYearBefore }) => countYearBefore && estimateCount(countYearBefore),
  change: ({ change }) => change,
  forecast: ({ forecast, totalYearBefore }) =>
    forecast && totalYearBefore ? (forecast.low + forecast.high) / 2 / estimateCount(totalYearBefore) : null,
  waiting: ({ waitingCount, lateCount }) => -(estimateCount(lateCount) * 10_000 + estimateCount(waitingCount)),
  withinGoal: (row) => (isJudged(row) ? row.withinGoalShare : null),
}

/** Sorts the worst school first; equal ones keep their order. */
export function sortWorstFirst(rows: readonly SchoolRow[], column: BoardColumn): readonly SchoolRow[] {
  if (column === 'school') return rows
  const computeScore = (row: BoardRow) => scoreByColumn[column](row) ?? Infinity
  // Two unknown scores differ by NaN, hence `|| 0`.
  return rows.toSorted((a, b) => computeScore(a) - computeScore(b) || 0)
}

/** Tells whether a school has no declaration of this year or the one before, and neither open nor judged leads. */
export function isEmptyRow({ countSoFar, totalYearBefore, waitingCount, judgedCount }: BoardRow): boolean {
  return [countSoFar, totalYearBefore ?? 0, waitingCount, judgedCount].every((count) => count === 0)
}
