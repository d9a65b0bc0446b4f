import type { Count } from '@/lib/contract/interest'
import type { HighSchool } from '@/lib/contract/lead'
import { estimateCount } from './rounding'

export type SeasonRow = {
  countSoFar: Count
  /** The count is of the same point of the year; null if the year before had none, or was not seen from its start. */
  countYearBefore: Count | null
  totalYearBefore: Count | null
  /** The change is a share, also null where either count is too small. */
  change: number | null
  forecast: { low: number; high: number; years: readonly number[] } | null
}
export type WorkRow = {
  waiting: Count
  late: Count
  /** So many leads met or missed the goal; the share that met it is null for too few. */
  judged: Count
  withinGoal: number | null
}
export type BoardRow = SeasonRow & WorkRow
export type SchoolRow = BoardRow & { school: HighSchool }

/** A change up to this share counts as level, because chance alone makes as much. */
const LEVEL_CHANGE = 0.06

export function toDirection(change: number | null): 'up' | 'down' | 'level' {
  if (change === null || Math.abs(change) <= LEVEL_CHANGE) return 'level'
  return change > 0 ? 'up' : 'down'
}

/** The goal is missed where fewer leads than this share are answered in time. */
export const GOAL_SHARE = 0.9
/** No school is judged by fewer leads, though the table has their share. */
const MIN_JUDGED = 25

export const isJudged = ({ judged }: WorkRow) => estimateCount(judged) >= MIN_JUDGED

export function isGoalMissed(share: number | null): share is number {
  return share !== null && share < GOAL_SHARE
}

type MeasuredColumn = 'now' | 'before' | 'change' | 'forecast' | 'waiting' | 'withinGoal'
export type BoardColumn = 'school' | MeasuredColumn

/** The rows of a column are sorted by this score: the larger, the better. Null is unknown and comes last. */
const scoreByColumn: Record<MeasuredColumn, (row: BoardRow) => number | null> = {
  now: ({ countSoFar }) => estimateCount(countSoFar),
  before: ({ countYearBefore }) => countYearBefore && estimateCount(countYearBefore),
  change: ({ change }) => change,
  forecast: ({ forecast, totalYearBefore }) =>
    forecast && totalYearBefore ? (forecast.low + forecast.high) / 2 / estimateCount(totalYearBefore) : null,
  waiting: ({ waiting, late }) => -(estimateCount(late) * 10_000 + estimateCount(waiting)),
  withinGoal: (row) => (isJudged(row) ? row.withinGoal : null),
}

/** Sorts the worst school first; equal schools stay in order of name. */
export function sortWorstFirst(rows: readonly SchoolRow[], column: BoardColumn): readonly SchoolRow[] {
  if (column === 'school') return rows
  const computeScore = (row: BoardRow) => scoreByColumn[column](row) ?? Infinity
  return rows.toSorted((a, b) => (computeScore(a) === computeScore(b) ? 0 : computeScore(a) - computeScore(b)))
}

/** Tells whether a school has no declaration of this year or the one before, and nothing to answer. */
export function isEmptyRow({ countSoFar, totalYearBefore, waiting, judged }: BoardRow): boolean {
  return [countSoFar, totalYearBefore ?? 0, waiting, judged].every((count) => count === 0)
}
