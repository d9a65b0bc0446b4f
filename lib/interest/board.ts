import type { Count } from '@/lib/contract/interest'
import type { HighSchool } from '@/lib/contract/lead'
import type { AdmissionCycle } from '@/lib/contract/settings'
import { sizeOf } from './axis'
import { dayZero } from './cohort'
import { courseFrom, type Forecast, forecastOf } from './forecast'
import type { DaysByYear } from './interest-table'
import { changeOf, rounded, type Rounding } from './rounding'
import { blurOf, countAt, type EarlierSeason, isSeenFrom, seasonDays, type SeasonDays, seasonOf } from './seasons'

/** What has come to a school, or to all of them together. */
type SeasonRow = {
  now: Count
  /** At the same point of the year before; null where no declaration was for it. */
  before: Count | null
  beforeInAll: Count | null
  /** As a share; null also where either is of too few. */
  change: number | null
  forecast: { low: number; high: number; years: readonly number[] } | null
}
/** What the staff there have to do and did. */
export type WorkRow = {
  waiting: Count
  late: Count
  /** How many had a goal that was met or missed, and the share that met it; null of too few. */
  judged: Count
  withinGoal: number | null
}
export type BoardRow = SeasonRow & WorkRow
export type SchoolOnBoard = BoardRow & { school: HighSchool }

type BoardOf<Row> = { all: Row; schools: readonly (Row & { school: HighSchool })[]; curves: BoardCurves }
/** What a snapshot tells. */
export type SeasonBoard = BoardOf<SeasonRow>
export type Board = BoardOf<BoardRow>

/** `workOf`: what was done with the leads of these schools; null for all in scope. */
export function wholeBoard(
  seasons: SeasonBoard,
  workOf: (schools: ReadonlySet<string> | null) => WorkRow,
  chosen: ReadonlySet<string> | null,
): Board {
  return {
    ...seasons,
    all: { ...seasons.all, ...workOf(chosen) },
    schools: seasons.schools.map((one) => ({ ...one, ...workOf(new Set([one.school.id])) })),
  }
}

/** All schools together, by the day of the cycle. */
export type BoardCurves = {
  /** Ascending: each day, or for managers the last of each week. */
  days: readonly number[]
  /** May lie beyond the first and the last. */
  today: number
  cohorts: readonly { year: number; counts: readonly Count[] }[]
  /** Where the chosen cohort goes from today on, and ends. */
  fan: readonly { day: number; low: number; high: number; expected: number }[]
}

type BoardQuery = {
  schools: readonly { school: HighSchool; days: DaysByYear }[]
  /** To these schools together. */
  together: DaysByYear
  /** To all in scope, which tells what was seen of a year. */
  inScope: DaysByYear
  cohort: number
  cycle: AdmissionCycle
  /** Since 1 January 1970. */
  today: number
  rounding: Rounding
}

const EARLIER_YEARS = 6
const COHORTS_SHOWN = 3

/**
 * What a manager sees comes from rounded counts alone: of a school or of all together, each rounded from its exact sum, at ends of
 * weeks. A row says the same on a page of its own as among others.
 */
export function boardOf(query: BoardQuery): SeasonBoard {
  const { schools, cohort } = query
  const days = seasonDays(cohort, query.cycle, query.today)
  const all = courseOf(query, days, query.together)
  return {
    all: all.row,
    schools: schools.map((one) => ({
      school: one.school,
      ...(schools.length === 1 ? all.row : courseOf(query, days, one.days).row),
    })),
    curves: curvesOf(all.seasons, all.forecast, days, query),
  }
}

function courseOf(query: BoardQuery, days: SeasonDays, years: DaysByYear) {
  const { cohort, cycle, rounding } = query
  // The cohort's own season is first, also where nothing has come; then the years before that were seen from their beginning.
  const seasonsIn = (rule: Rounding): EarlierSeason[] =>
    Array.from({ length: EARLIER_YEARS + 1 }, (_, ago) => cohort - ago).flatMap((year) => {
      const [came, yearZero] = [years.get(year) ?? [], dayZero(year, cycle)]
      if (year !== cohort && !isSeenFrom(came, yearZero + days.first)) return []
      return [{ year, cumulative: seasonOf(came, yearZero, days, query.today - yearZero, rule), blur: blurOf(rule) }]
    })
  const seasons = seasonsIn(rounding)
  // The forecast is made from what is published, for everybody, so that a school has one.
  const [own, ...others] = rounding === rounded ? seasons : seasonsIn(rounded)
  const forecast = own ? forecastOf(own, others) : null
  const now = rounding.count(years.get(cohort)?.length ?? 0)
  const lastYear = years.get(cohort - 1) ?? []
  const zero = dayZero(cohort - 1, cycle)
  // A year that was not seen from its beginning, at any school, is none to compare with.
  const isSeen = isSeenFrom(query.inScope.get(cohort - 1) ?? [], zero + days.first)
  const beforeInAll = lastYear.length > 0 && isSeen ? rounding.count(lastYear.length) : null
  const isOver = days.today >= days.last
  const before =
    beforeInAll === null || isOver ? beforeInAll : rounding.count(countAt(lastYear, zero, days.today, rounding))
  // As one says it: "3 900–4 500".
  const expected = forecast?.expected ?? 0
  const step = expected < 200 ? 5 : expected < 2_000 ? 10 : expected < 5_000 ? 50 : 100
  const inSteps = (size: number) => Math.max(sizeOf(now), Math.round(size / step) * step)
  const row: SeasonRow = {
    now,
    before,
    beforeInAll,
    change: before === null ? null : changeOf(now, before),
    forecast: forecast && { low: inSteps(forecast.low), high: inSteps(forecast.high), years: forecast.years },
  }
  return { seasons, forecast, row }
}

/** Up to so much more or less, a year is about as the one before: chance alone does as much. */
const ABOUT_AS = 0.06

export function directionOf(change: number | null): 'up' | 'down' | 'level' {
  if (change === null || Math.abs(change) <= ABOUT_AS) return 'level'
  return change > 0 ? 'up' : 'down'
}

/** Nine of ten within the goal; below it, the goal is missed. */
export const GOAL_SHARE = 0.9
/** A share of fewer is in the table, but judges no school. */
const LEAST_JUDGED = 25

export const isJudged = ({ judged }: WorkRow) => sizeOf(judged) >= LEAST_JUDGED

export function isMissed(share: number | null): share is number {
  return share !== null && share < GOAL_SHARE
}

type Measured = 'now' | 'before' | 'change' | 'forecast' | 'waiting' | 'withinGoal'
export type BoardColumn = 'school' | Measured

/** What a column hopes to be large; null is not known, and comes last. */
const worth: Record<Measured, (row: BoardRow) => number | null> = {
  now: ({ now }) => sizeOf(now),
  before: ({ before }) => before && sizeOf(before),
  change: ({ change }) => change,
  forecast: ({ forecast, beforeInAll }) =>
    forecast && beforeInAll ? (forecast.low + forecast.high) / 2 / sizeOf(beforeInAll) : null,
  waiting: ({ waiting, late }) => -(sizeOf(late) * 10_000 + sizeOf(waiting)),
  withinGoal: (row) => (isJudged(row) ? row.withinGoal : null),
}

/** The worst first; of equal ones as they were, which is by name. */
export function worstFirst(rows: readonly SchoolOnBoard[], column: BoardColumn): readonly SchoolOnBoard[] {
  if (column === 'school') return rows
  const worthOf = (row: BoardRow) => worth[column](row) ?? Infinity
  return rows.toSorted((a, b) => (worthOf(a) === worthOf(b) ? 0 : worthOf(a) - worthOf(b)))
}

/** Neither a declaration of this year or the one before, nor a question that waits. */
export function isEmpty({ now, beforeInAll, waiting, judged }: BoardRow): boolean {
  return [now, beforeInAll ?? 0, waiting, judged].every((count) => count === 0)
}

const WEEK = 7

function curvesOf(
  seasons: readonly EarlierSeason[],
  forecast: Forecast | null,
  { first, last, today }: SeasonDays,
  { cohort, rounding }: BoardQuery,
): BoardCurves {
  const all = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const days = rounding.isWeekly ? all.filter((day) => day % WEEK === 0 || day === last) : all
  const countsOf = ({ cumulative }: EarlierSeason) => {
    const had = cumulative.length === 0 ? 0 : cumulative.length + (rounding.isWeekly ? WEEK - 1 : 0)
    return days
      .filter((day) => day - first < had)
      .map((day) => rounding.count(cumulative[Math.min(day - first, cumulative.length - 1)] ?? 0))
  }
  const shown = seasons.filter(({ year }) => year > cohort - COHORTS_SHOWN)
  const cohorts = shown.map((season) => ({ year: season.year, counts: countsOf(season) }))
  const [own, ...earlier] = seasons
  if (own === undefined || forecast === null) return { days, today, cohorts, fan: [] }
  const came = own.cumulative.at(-1) ?? 0
  const shares = courseFrom(own.cumulative.length - 1, earlier)
  const fan = shares.flatMap((share, day) => {
    if (day % WEEK !== 0 && day !== shares.length - 1) return []
    const by = (end: number) => Math.round(came + share * (end - came))
    const { low, high, expected } = forecast
    return [{ day: today + day, low: by(low), high: by(high), expected: by(expected) }]
  })
  return { days, today, cohorts, fan }
}
