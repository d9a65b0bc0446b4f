import type { Count } from '@/lib/contract/interest'
import type { HighSchool } from '@/lib/contract/lead'
import type { AdmissionCycle } from '@/lib/contract/settings'
import { estimateCount } from './axis'
import { findDayZero } from './cohort'
import { computeCourse, computeForecast, type SeasonCounts } from './forecast'
import type { DaysByYear } from './interest-table'
import { computeChange, managerRounding, type Rounding } from './rounding'
import { countUntil, isSeenFromStart, seasonDays, type SeasonDays, countSeason } from './season-counts'

/** What has come to a school, or to all of them together. */
type SeasonRow = {
  countSoFar: Count
  /** How many had come at the same point of the year before; null where no declaration was for it. */
  countYearBefore: Count | null
  totalYearBefore: Count | null
  /** The change is a share; it is null also where either count is of too few. */
  change: number | null
  forecast: { low: number; high: number; years: readonly number[] } | null
}
/** What the staff of these schools have to do and did. */
export type WorkRow = {
  waiting: Count
  late: Count
  /** How many had a goal that was met or missed, and the share that met it; null of too few. */
  judged: Count
  withinGoal: number | null
}
export type BoardRow = SeasonRow & WorkRow
export type SchoolOnBoard = BoardRow & { school: HighSchool }

type BoardWithRows<Row> = { all: Row; schools: readonly (Row & { school: HighSchool })[]; curves: BoardCurves }
/** The part of a board that changes with the snapshot alone. */
export type SeasonBoard = BoardWithRows<SeasonRow>
export type Board = BoardWithRows<BoardRow>

/** `workOf` sums up what was done with the leads of some schools, or of all in scope for null. */
export function addWorkRows(
  seasons: SeasonBoard,
  sumWork: (schools: ReadonlySet<string> | null) => WorkRow,
  chosenIds: ReadonlySet<string> | null,
): Board {
  return {
    ...seasons,
    all: { ...seasons.all, ...sumWork(chosenIds) },
    schools: seasons.schools.map((one) => ({ ...one, ...sumWork(new Set([one.school.id])) })),
  }
}

/** All schools together, with days counted from the day zero of the cycle. */
export type BoardCurves = {
  /** Staff see each day, managers the last day of each week. */
  days: readonly number[]
  /** Today may lie before the first day and after the last. */
  today: number
  cohorts: readonly { year: number; counts: readonly Count[] }[]
  /** Where the chosen cohort goes from today on, and ends. */
  fan: readonly { day: number; low: number; high: number; expected: number }[]
}

type BoardQuery = {
  schools: readonly { school: HighSchool; days: DaysByYear }[]
  /** What came to these schools together. */
  chosenDays: DaysByYear
  /** What came to all schools in scope, which tells what was seen of a year. */
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
 * A manager's board is made of rounded counts alone: of a school or of all together, each rounded from its exact sum at the end of
 * a week. A row says the same on a page of its own as among others.
 */
export function buildSeasonBoard(query: BoardQuery): SeasonBoard {
  const { schools, cohort, cycle, today, rounding } = query
  const season = seasonDays(cohort, cycle, today)
  const { row, seasons, forecast } = computeRow(query, season, query.chosenDays)
  const allDays = Array.from({ length: season.last - season.first + 1 }, (_, index) => season.first + index)
  const days = rounding.isWeekly ? allDays.filter((day) => day % WEEK === 0 || day === season.last) : allDays
  const cohorts = seasons
    .filter(({ year }) => year > cohort - COHORTS_SHOWN)
    .map(({ year, cumulative }) => {
      // The week under way has a point too.
      const passed = cumulative.length === 0 ? 0 : cumulative.length + (rounding.isWeekly ? WEEK - 1 : 0)
      const counts = days
        .filter((day) => day - season.first < passed)
        .map((day) => rounding.roundCount(cumulative[Math.min(day - season.first, cumulative.length - 1)] ?? 0))
      return { year, counts }
    })
  const [own, ...earlier] = seasons
  const came = own?.cumulative.at(-1) ?? 0
  const shares = own && forecast ? computeCourse(own.cumulative.length - 1, earlier) : []
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
    schools: schools.map((one) => ({
      school: one.school,
      ...(schools.length === 1 ? row : computeRow(query, season, one.days).row),
    })),
    curves: { days, today: season.today, cohorts, fan },
  }
}

function computeRow(query: BoardQuery, days: SeasonDays, years: DaysByYear) {
  const { cohort, cycle, rounding } = query
  // The cohort's own season comes first, even if it is empty; then the years before that were seen from their beginning.
  const listSeasons = (rule: Rounding): SeasonCounts[] =>
    Array.from({ length: EARLIER_YEARS + 1 }, (_, ago) => cohort - ago).flatMap((year) => {
      const [came, yearZero] = [years.get(year) ?? [], findDayZero(year, cycle)]
      if (year !== cohort && !isSeenFromStart(yearZero + days.first, came[0])) return []
      return [{ year, cumulative: countSeason(came, yearZero, days, query.today - yearZero, rule) }]
    })
  const seasons = listSeasons(rounding)
  // Everybody's forecast is made of published counts, so that a school has only one.
  const [own, ...others] = rounding === managerRounding ? seasons : listSeasons(managerRounding)
  const forecast = own ? computeForecast(own, others) : null
  const now = rounding.roundCount(years.get(cohort)?.length ?? 0)
  const lastYear = years.get(cohort - 1) ?? []
  const zero = findDayZero(cohort - 1, cycle)
  // A year that was not seen from its beginning, at any school, is none to compare with.
  const isSeen = isSeenFromStart(zero + days.first, query.scopeDays.get(cohort - 1)?.[0])
  const beforeInAll = lastYear.length > 0 && isSeen ? rounding.roundCount(lastYear.length) : null
  const isOver = days.today >= days.last
  const before =
    beforeInAll === null || isOver ? beforeInAll : rounding.roundCount(countUntil(lastYear, zero, days.today, rounding))
  // A range has round ends, as in "3 900–4 500".
  const expected = forecast?.expected ?? 0
  const step = expected < 200 ? 5 : expected < 2_000 ? 10 : expected < 5_000 ? 50 : 100
  const roundToStep = (size: number) => Math.max(estimateCount(now), Math.round(size / step) * step)
  const row: SeasonRow = {
    countSoFar: now,
    countYearBefore: before,
    totalYearBefore: beforeInAll,
    change: before === null ? null : computeChange(now, before),
    forecast: forecast && { low: roundToStep(forecast.low), high: roundToStep(forecast.high), years: forecast.years },
  }
  return { seasons, forecast, row }
}

/** A year that differs by less is about as the one before, because chance alone does as much. */
const LEVEL_CHANGE = 0.06

export function toDirection(change: number | null): 'up' | 'down' | 'level' {
  if (change === null || Math.abs(change) <= LEVEL_CHANGE) return 'level'
  return change > 0 ? 'up' : 'down'
}

/** The goal is missed where fewer leads than this share are answered in time. */
export const GOAL_SHARE = 0.9
/** The share of fewer leads is in the table, but judges no school. */
const MIN_JUDGED = 25

export const isJudged = ({ judged }: WorkRow) => estimateCount(judged) >= MIN_JUDGED

export function isGoalMissed(share: number | null): share is number {
  return share !== null && share < GOAL_SHARE
}

type MeasuredColumn = 'now' | 'before' | 'change' | 'forecast' | 'waiting' | 'withinGoal'
export type BoardColumn = 'school' | MeasuredColumn

/** The larger, the better. An unknown value is null and comes last. */
const scoreByColumn: Record<Measured, (row: BoardRow) => number | null> = {
  now: ({ countSoFar: now }) => estimateCount(now),
  before: ({ countYearBefore: before }) => before && estimateCount(before),
  change: ({ change }) => change,
  forecast: ({ forecast, totalYearBefore: beforeInAll }) =>
    forecast && beforeInAll ? (forecast.low + forecast.high) / 2 / estimateCount(beforeInAll) : null,
  waiting: ({ waiting, late }) => -(estimateCount(late) * 10_000 + estimateCount(waiting)),
  withinGoal: (row) => (isJudged(row) ? row.withinGoal : null),
}

/** Sorts the worst school first; equal ones stay in their order, which is by name. */
export function sortWorstFirst(rows: readonly SchoolOnBoard[], column: BoardColumn): readonly SchoolOnBoard[] {
  if (column === 'school') return rows
  const computeScore = (row: BoardRow) => scoreByColumn[column](row) ?? Infinity
  return rows.toSorted((a, b) => (computeScore(a) === computeScore(b) ? 0 : computeScore(a) - computeScore(b)))
}

/** Whether there is no declaration of this year or the one before, and nothing to answer. */
export function isEmptyRow({ countSoFar: now, totalYearBefore: beforeInAll, waiting, judged }: BoardRow): boolean {
  return [now, beforeInAll ?? 0, waiting, judged].every((count) => count === 0)
}
