import type { Count } from '@/lib/contract/interest'
import type { HighSchool } from '@/lib/contract/lead'
import type { AdmissionCycle } from '@/lib/contract/settings'
import type { BoardRow, SeasonRow, WorkRow } from './board-rows'
import { findDayZero } from './cohort'
import { computeCourse, computeForecast, type SeasonCounts } from './forecast'
import type { DaysByYear } from './interest-table'
import { computeChange, estimateCount, managerRounding, type Rounding } from './rounding'
import { computeSeasonDays, countSeason, countUntil, isSeenFromStart, type SeasonDays } from './season-counts'

type BoardWithRows<Row> = { all: Row; schools: readonly (Row & { school: HighSchool })[]; curves: BoardCurves }
/** The part of a board that changes with the snapshot alone. */
export type SeasonBoard = BoardWithRows<SeasonRow>
export type Board = BoardWithRows<BoardRow>

/** All schools together, with days counted from the day zero of the cycle. */
export type BoardCurves = {
  /** Staff see each day, managers the last day of each week. */
  days: readonly number[]
  /** Today may lie before the first day and after the last. */
  today: number
  cohorts: readonly { year: number; counts: readonly Count[] }[]
  /** The forecast range, week by week from today to the end of the season. */
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

/** For managers each count is the exact sum at the end of a week, rounded once. A school's row is the same alone as among others. */
export function buildSeasonBoard(query: BoardQuery): SeasonBoard {
  const { schools, cohort, cycle, rounding } = query
  const season = computeSeasonDays(cohort, cycle, query.today)
  const { first, last, today } = season
  const { row, current, earlier, forecast } = computeRow(query, season, query.chosenDays)
  const allDays = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const days = rounding.isWeekly ? allDays.filter((day) => day % WEEK === 0 || day === last) : allDays
  const cohorts = [current, ...earlier]
    .filter(({ year }) => year > cohort - COHORTS_SHOWN)
    .map(({ year, cumulative }) => {
      // The week under way has a point, too.
      const passed = cumulative.length === 0 ? 0 : cumulative.length + (rounding.isWeekly ? WEEK - 1 : 0)
      const counts = days
        .filter((day) => day - first < passed)
        .map((day) => rounding.roundCount(cumulative[Math.min(day - first, cumulative.length - 1)] ?? 0))
      return { year, counts }
    })
  const came = current.cumulative.at(-1) ?? 0
  const course = forecast === null ? [] : computeCourse(current.cumulative.length - 1, earlier)
  const fan = course.flatMap((share, index) => {
    if (forecast === null || (index % WEEK !== 0 && index !== course.length - 1)) return []
    const countTowards = (end: number) => Math.round(came + share * (end - came))
    const { low, high, expected } = forecast
    const range = { low: countTowards(low), high: countTowards(high), expected: countTowards(expected) }
    return [{ day: today + index, ...range }]
  })
  return {
    all: row,
    schools: schools.map(({ school, days: arrivals }) => ({ school, ...computeRow(query, season, arrivals).row })),
    curves: { days, today, cohorts, fan },
  }
}

function computeRow({ cohort, cycle, today, scopeDays, rounding }: BoardQuery, season: SeasonDays, days: DaysByYear) {
  const countYear = (year: number, rule: Rounding): SeasonCounts => {
    const zero = findDayZero(year, cycle)
    return { year, cumulative: countSeason(days.get(year) ?? [], zero, season, today - zero, rule) }
  }
  const isSeen = (year: number, arrivals: DaysByYear) =>
    isSeenFromStart(findDayZero(year, cycle) + season.first, arrivals.get(year)?.[0])
  const earlierYears = Array.from({ length: EARLIER_YEARS }, (_, index) => cohort - 1 - index)
  const seenYears = earlierYears.filter((year) => isSeen(year, days))
  // Every forecast is made of published counts, so that a school has only one.
  const publishedCounts = seenYears.map((year) => countYear(year, managerRounding))
  const forecast = computeForecast(countYear(cohort, managerRounding), publishedCounts)
  const countSoFar = rounding.roundCount(days.get(cohort)?.length ?? 0)
  const lastYear = days.get(cohort - 1) ?? []
  // Last year is compared with only if some school had leads from its start.
  const isComparable = lastYear.length > 0 && isSeen(cohort - 1, scopeDays)
  const totalYearBefore = isComparable ? rounding.roundCount(lastYear.length) : null
  const countUntilToday = () => countUntil(lastYear, findDayZero(cohort - 1, cycle), season.today, rounding)
  const isOver = season.today >= season.last
  const countYearBefore = isComparable && !isOver ? rounding.roundCount(countUntilToday()) : totalYearBefore
  const step = chooseStep(forecast?.expected ?? 0)
  const roundEnd = (end: number) => Math.max(estimateCount(countSoFar), Math.round(end / step) * step)
  const row: SeasonRow = {
    countSoFar,
    countYearBefore,
    totalYearBefore,
    change: countYearBefore === null ? null : computeChange(countSoFar, countYearBefore),
    forecast: forecast && { low: roundEnd(forecast.low), high: roundEnd(forecast.high), years: forecast.years },
  }
  const earlier = seenYears.map((year) => countYear(year, rounding))
  return { row, current: countYear(cohort, rounding), earlier, forecast }
}

/** A range has round ends, as in "3 900–4 500". */
function chooseStep(expected: number): number {
  if (expected < 200) return 5
  if (expected < 2_000) return 10
  return expected < 5_000 ? 50 : 100
}

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
