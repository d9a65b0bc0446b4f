import type { Count } from '@/lib/contract/interest'
import type { HighSchool } from '@/lib/contract/lead'
import type { AdmissionCycle } from '@/lib/contract/settings'
import { estimateCount } from './axis'
import { findDayZero } from './cohort'
import { computeCourse, computeForecast, type SeasonCounts } from './forecast'
import type { DaysByYear } from './interest-table'
import { computeChange, managerRounding, type Rounding } from './rounding'
import { computeSeasonDays, countSeason, countUntil, isSeenFromStart, type SeasonDays } from './season-counts'

/** The declarations to one school, or to all together. */
type SeasonRow = {
  countSoFar: Count
  /** The count at the same point of the year before; null if that year had none or was not seen from its start. */
  countYearBefore: Count | null
  totalYearBefore: Count | null
  /** The change is a share; it is null also where either count is too small. */
  change: number | null
  forecast: { low: number; high: number; years: readonly number[] } | null
}
/** What the staff of one or more schools have to do, and how they have done. */
export type WorkRow = {
  waiting: Count
  late: Count
  /** The number of leads whose goal was met or missed, and the share that met it, which is null for too few. */
  judged: Count
  withinGoal: number | null
}
export type BoardRow = SeasonRow & WorkRow
export type SchoolRow = BoardRow & { school: HighSchool }

type BoardWithRows<Row> = { all: Row; schools: readonly (Row & { school: HighSchool })[]; curves: BoardCurves }
/** The part of a board that changes with the snapshot alone. */
export type SeasonBoard = BoardWithRows<SeasonRow>
export type Board = BoardWithRows<BoardRow>

/** `sumWork` sums up the work of some schools, or of all in scope for null. */
export function addWorkRows(
  seasons: SeasonBoard,
  sumWork: (schools: ReadonlySet<string> | null) => WorkRow,
  chosenIds: ReadonlySet<string> | null,
): Board {
  return {
    ...seasons,
    all: { ...seasons.all, ...sumWork(chosenIds) },
    schools: seasons.schools.map((row) => ({ ...row, ...sumWork(new Set([row.school.id])) })),
  }
}

/** All schools together, with days counted from the day zero of the cycle. */
export type BoardCurves = {
  /** Staff see each day, managers the last day of each week. */
  days: readonly number[]
  /** Today may lie before the first day and after the last. */
  today: number
  cohorts: readonly { year: number; counts: readonly Count[] }[]
  /** The forecast range from today to the end of the season. */
  fan: readonly { day: number; low: number; high: number; expected: number }[]
}

type BoardQuery = {
  schools: readonly { school: HighSchool; days: DaysByYear }[]
  /** The declarations to these schools together. */
  chosenDays: DaysByYear
  /** The declarations to all schools in scope, which show whether a year was seen from its start. */
  scopeDays: DaysByYear
  cohort: number
  cycle: AdmissionCycle
  /** The number of the day since 1 January 1970. */
  today: number
  rounding: Rounding
}

const EARLIER_YEARS = 6
const COHORTS_SHOWN = 3
const WEEK = 7

/**
 * Builds the part of the board that depends on the snapshot alone. For managers each count is the exact sum at the end of a
 * week, rounded once. A school's row is the same alone as among others.
 */
export function buildSeasonBoard(query: BoardQuery): SeasonBoard {
  const { schools, cohort, cycle, today, rounding } = query
  const season = computeSeasonDays(cohort, cycle, today)
  const { row, seasons, forecast } = computeRow(query, season, query.chosenDays)
  const allDays = Array.from({ length: season.last - season.first + 1 }, (_, index) => season.first + index)
  const days = rounding.isWeekly ? allDays.filter((day) => day % WEEK === 0 || day === season.last) : allDays
  const cohorts = seasons
    .filter(({ year }) => year > cohort - COHORTS_SHOWN)
    .map(({ year, cumulative }) => {
      // The week under way has a point, too.
      const passed = cumulative.length === 0 ? 0 : cumulative.length + (rounding.isWeekly ? WEEK - 1 : 0)
      const counts = days
        .filter((day) => day - season.first < passed)
        .map((day) => rounding.roundCount(cumulative[Math.min(day - season.first, cumulative.length - 1)] ?? 0))
      return { year, counts }
    })
  const [ownSeason, ...earlier] = seasons
  const came = ownSeason?.cumulative.at(-1) ?? 0
  const shares = ownSeason && forecast ? computeCourse(ownSeason.cumulative.length - 1, earlier) : []
  const fan = shares.flatMap((share, day) => {
    if (forecast === null || (day % WEEK !== 0 && day !== shares.length - 1)) return []
    const countTowards = (end: number) => Math.round(came + share * (end - came))
    const { low, high, expected } = forecast
    return [
      { day: season.today + day, low: countTowards(low), high: countTowards(high), expected: countTowards(expected) },
    ]
  })
  return {
    all: row,
    schools: schools.map(({ school, days: schoolDays }) => ({
      school,
      ...(schools.length === 1 ? row : computeRow(query, season, schoolDays).row),
    })),
    curves: { days, today: season.today, cohorts, fan },
  }
}

function computeRow(query: BoardQuery, days: SeasonDays, years: DaysByYear) {
  const { cohort, cycle, rounding } = query
  // The cohort's own season comes first, even if it is empty; then the years before that were seen from their start.
  const listSeasons = (rule: Rounding): SeasonCounts[] =>
    Array.from({ length: EARLIER_YEARS + 1 }, (_, ago) => cohort - ago).flatMap((year) => {
      const [came, yearZero] = [years.get(year) ?? [], findDayZero(year, cycle)]
      if (year !== cohort && !isSeenFromStart(yearZero + days.first, came[0])) return []
      return [{ year, cumulative: countSeason(came, yearZero, days, query.today - yearZero, rule) }]
    })
  const seasons = listSeasons(rounding)
  // Every forecast is made of published counts, so that a school has only one.
  const [ownSeason, ...others] = rounding === managerRounding ? seasons : listSeasons(managerRounding)
  const forecast = ownSeason ? computeForecast(ownSeason, others) : null
  const countSoFar = rounding.roundCount(years.get(cohort)?.length ?? 0)
  const lastYear = years.get(cohort - 1) ?? []
  const zero = findDayZero(cohort - 1, cycle)
  // A year is compared with only if some school had leads from its start.
  const isSeen = isSeenFromStart(zero + days.first, query.scopeDays.get(cohort - 1)?.[0])
  const totalYearBefore = lastYear.length > 0 && isSeen ? rounding.roundCount(lastYear.length) : null
  const isOver = days.today >= days.last
  const countYearBefore =
    totalYearBefore === null || isOver
      ? totalYearBefore
      : rounding.roundCount(countUntil(lastYear, zero, days.today, rounding))
  // A range has round ends, as in "3 900–4 500".
  const expected = forecast?.expected ?? 0
  const step = expected < 200 ? 5 : expected < 2_000 ? 10 : expected < 5_000 ? 50 : 100
  const roundToStep = (size: number) => Math.max(estimateCount(countSoFar), Math.round(size / step) * step)
  const row: SeasonRow = {
    countSoFar,
    countYearBefore,
    totalYearBefore,
    change: countYearBefore === null ? null : computeChange(countSoFar, countYearBefore),
    forecast: forecast && { low: roundToStep(forecast.low), high: roundToStep(forecast.high), years: forecast.years },
  }
  return { seasons, forecast, row }
}

/** A smaller change counts as level, because chance alone makes as much. */
const LEVEL_CHANGE = 0.06

export function toDirection(change: number | null): 'up' | 'down' | 'level' {
  if (change === null || Math.abs(change) <= LEVEL_CHANGE) return 'level'
  return change > 0 ? 'up' : 'down'
}

/** The goal is missed where fewer leads than this share are answered in time. */
export const GOAL_SHARE = 0.9
/** The share of fewer leads is in the table, but no school is judged by it. */
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

/** Sorts the worst school first; equal ones stay in their order, which is by name. */
export function sortWorstFirst(rows: readonly SchoolRow[], column: BoardColumn): readonly SchoolRow[] {
  if (column === 'school') return rows
  const computeScore = (row: BoardRow) => scoreByColumn[column](row) ?? Infinity
  return rows.toSorted((a, b) => (computeScore(a) === computeScore(b) ? 0 : computeScore(a) - computeScore(b)))
}

/** Whether there is no declaration of this year or the one before, and nothing to answer. */
export function isEmptyRow({ countSoFar, totalYearBefore, waiting, judged }: BoardRow): boolean {
  return [countSoFar, totalYearBefore ?? 0, waiting, judged].every((count) => count === 0)
}
