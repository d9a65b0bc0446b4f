import type { Count } from '@/lib/contract/interest'
import type { HighSchool } from '@/lib/contract/lead'
import type { AdmissionCycle } from '@/lib/contract/settings'
import { WEEK_DAYS } from '@/lib/time/weeks'
import type { BoardRow, SeasonRow, WorkRow } from './board-rows'
import { findDayZero } from './cohort'
import { computeCourse, computeForecast, type SeasonCounts } from './forecast'
import type { DaysByYear } from './interest-table'
import { computeChange, estimateCount, managerRounding, type Rounding } from './rounding'
import { computeSeasonDays, countSeason, countUntil, isSeenFromStart, type SeasonDays } from './season-counts'

type BoardWithRows<Row> = { total: Row; schools: readonly (Row & { school: HighSchool })[]; curves: BoardCurves }
/** The board without the figures of the staff's work, so that it stays the same until the next snapshot. */
export type SeasonBoard = BoardWithRows<SeasonRow>
export type Board = BoardWithRows<BoardRow>

/** The curves of all schools together. Their days are counted from the day zero of the cycle. */
export type BoardCurves = {
  /** Staff have a point for each day, managers for the last day of each week. */
  days: readonly number[]
  /** Today may lie before the first day and after the last. */
  todayCycleDay: number
  cohorts: readonly { year: number; counts: readonly Count[] }[]
  /** The forecast has a point for each week from today to the end of the season. */
  forecastRange: readonly { day: number; low: number; high: number; expected: number }[]
}

type BoardQuery = {
  schools: readonly { school: HighSchool; declarationDays: DaysByYear }[]
  chosenDays: DaysByYear
  /** The declarations to all schools in scope show whether the service had leads from the start of a year. */
  scopeDays: DaysByYear
  cohort: number
  cycle: AdmissionCycle
  todayEpochDay: number
  rounding: Rounding
}

const MAX_FORECAST_YEARS = 6
const MAX_CURVES = 3

/** Builds a board on which a school's row is the same whichever schools are chosen. Each count is rounded once. */
export function buildSeasonBoard(query: BoardQuery): SeasonBoard {
  const season = computeSeasonDays(query.cohort, query.cycle, query.todayEpochDay)
  const { row: total, ...counts } = computeRowAndSeasons(query, season, query.chosenDays)
  const schools = query.schools.map(({ school, declarationDays }) => {
    return { school, ...computeRowAndSeasons(query, season, declarationDays).row }
  })
  return { total, schools, curves: buildCurves(query, season, counts) }
}

type CohortCounts = Omit<ReturnType<typeof computeRowAndSeasons>, 'row'>

function buildCurves({ cohort, rounding }: BoardQuery, season: SeasonDays, counts: CohortCounts): BoardCurves {
  const { firstCycleDay, lastCycleDay, todayCycleDay } = season
  const allDays = Array.from({ length: lastCycleDay - firstCycleDay + 1 }, (_, index) => firstCycleDay + index)
  const days = rounding.isWeekly ? allDays.filter((day) => day % WEEK_DAYS === 0 || day === lastCycleDay) : allDays
  const cohorts = [counts.current, ...counts.earlier]
    .filter(({ year }) => year > cohort - MAX_CURVES)
    .map(({ year, cumulative }) => {
      // The week under way has a point, too.
      const dayCount = cumulative.length === 0 ? 0 : cumulative.length + (rounding.isWeekly ? WEEK_DAYS - 1 : 0)
      const yearCounts = days
        .filter((day) => day - firstCycleDay < dayCount)
        .map((day) => rounding.roundCount(cumulative[Math.min(day - firstCycleDay, cumulative.length - 1)] ?? 0))
      return { year, counts: yearCounts }
    })
  return { days, todayCycleDay, cohorts, forecastRange: buildForecastRange(todayCycleDay, counts) }
}

/** The ends are not rounded to steps as those of the row are, because the drawing shows no numbers. */
function buildForecastRange(fromDay: number, { current, earlier, forecast }: CohortCounts) {
  if (forecast === null) return []
  const countSoFar = current.cumulative.at(-1) ?? 0
  const shares = computeCourse(current.cumulative.length - 1, earlier)
  return shares.flatMap((share, index) => {
    if (index % WEEK_DAYS !== 0 && index !== shares.length - 1) return []
    const countTowards = (finalCount: number) => Math.round(countSoFar + share * (finalCount - countSoFar))
    const { low, high, expected } = forecast
    const day = fromDay + index
    return [{ day, low: countTowards(low), high: countTowards(high), expected: countTowards(expected) }]
  })
}

function computeRowAndSeasons(query: BoardQuery, season: SeasonDays, declarationDays: DaysByYear) {
  const { cohort, cycle, todayEpochDay, scopeDays, rounding } = query
  const readCycleDays = (year: number) => {
    const dayZero = findDayZero(year, cycle)
    return (declarationDays.get(year) ?? []).map((day) => day - dayZero)
  }
  const countYear = (year: number, countRounding: Rounding): SeasonCounts => {
    const cycleDays = readCycleDays(year)
    const knownUntil = todayEpochDay - findDayZero(year, cycle)
    return { year, cumulative: countSeason(cycleDays, season, knownUntil, countRounding) }
  }
  const isSeen = (year: number, daysByYear: DaysByYear) =>
    isSeenFromStart(findDayZero(year, cycle) + season.firstCycleDay, daysByYear.get(year)?.[0])
  const earlierYears = Array.from({ length: MAX_FORECAST_YEARS }, (_, index) => cohort - 1 - index)
  const seenYears = earlierYears.filter((year) => isSeen(year, declarationDays))
  // Staff get the managers' forecast, made of managers' counts, so that a school has only one.
  const publishedSeasons = seenYears.map((year) => countYear(year, managerRounding))
  const forecast = computeForecast(countYear(cohort, managerRounding), publishedSeasons)
  const countSoFar = rounding.roundCount(declarationDays.get(cohort)?.length ?? 0)
  const daysYearBefore = readCycleDays(cohort - 1)
  // The year before is compared with if the service had leads from its start, even if this school's came later.
  const isComparable = daysYearBefore.length > 0 && isSeen(cohort - 1, scopeDays)
  const totalYearBefore = isComparable ? rounding.roundCount(daysYearBefore.length) : null
  const { todayCycleDay } = season
  const isOver = todayCycleDay >= season.lastCycleDay
  const countYearBefore =
    isComparable && !isOver ? rounding.roundCount(countUntil(daysYearBefore, todayCycleDay, rounding)) : totalYearBefore
  const step = chooseRangeStep(forecast?.expected ?? 0)
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

/** Chooses the step to which the ends of a forecast are rounded, as in "3 900–4 500". */
function chooseRangeStep(expected: number): number {
  if (expected < 200) return 5
  if (expected < 2_000) return 10
  return expected < 5_000 ? 50 : 100
}

/** Adds the work of the staff. `readWork` gets the id of a school, or null for the row of all together. */
export function addWorkRows(seasons: SeasonBoard, readWork: (schoolId: string | null) => WorkRow): Board {
  const schools = seasons.schools.map((row) => ({ ...row, ...readWork(row.school.id) }))
  return { ...seasons, total: { ...seasons.total, ...readWork(null) }, schools }
}
