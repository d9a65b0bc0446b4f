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

type BoardOf<Row> = {
  all: Row
  schools: readonly (Row & { school: HighSchool })[]
  curves: BoardCurves
}
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
  const seasons = seasonsOf(query, days, years, query.rounding)
  // From what is published, for everybody, so that a school has one forecast.
  const [own, ...others] = query.rounding === rounded ? seasons : seasonsOf(query, days, years, rounded)
  const forecast = own ? forecastOf(own, others) : null
  const totals = totalsOf(query, days, years)
  const { now, before } = totals
  const row: SeasonRow = {
    ...totals,
    change: before === null ? null : changeOf(now, before),
    forecast: forecast && shownRange(forecast, sizeOf(now)),
  }
  return { seasons, forecast, row }
}

/** The cohort's own season first, also where nothing has come; then the years before that were seen from their beginning. */
function seasonsOf(
  { cohort, cycle, today }: BoardQuery,
  days: SeasonDays,
  years: DaysByYear,
  rounding: Rounding,
): EarlierSeason[] {
  return Array.from({ length: EARLIER_YEARS + 1 }, (_, ago) => cohort - ago).flatMap((year) => {
    const [own, zero] = [years.get(year) ?? [], dayZero(year, cycle)]
    if (year !== cohort && !isSeenFrom(own, zero + days.first)) return []
    return [{ year, cumulative: seasonOf(own, zero, days, today - zero, rounding), blur: blurOf(rounding) }]
  })
}

type Totals = Pick<SeasonRow, 'now' | 'before' | 'beforeInAll'>

function totalsOf(
  { inScope, cohort, cycle, rounding }: BoardQuery,
  { first, today, last }: SeasonDays,
  years: DaysByYear,
): Totals {
  const now = rounding.count(years.get(cohort)?.length ?? 0)
  const before = years.get(cohort - 1) ?? []
  const zero = dayZero(cohort - 1, cycle)
  // A year that was not seen from its beginning, at any school, is none to compare with.
  const isSeen = isSeenFrom(inScope.get(cohort - 1) ?? [], zero + first)
  if (before.length === 0 || !isSeen) return { now, before: null, beforeInAll: null }
  const beforeInAll = rounding.count(before.length)
  if (today >= last) return { now, before: beforeInAll, beforeInAll }
  return { now, before: rounding.count(countAt(before, zero, today, rounding)), beforeInAll }
}

const WEEK = 7
/** As one says it: "3 900–4 500". */
function shownRange({ low, high, expected, years }: Forecast, now: number): NonNullable<BoardRow['forecast']> {
  const step = stepOf(expected)
  const inSteps = (size: number) => Math.max(now, Math.round(size / step) * step)
  return { low: inSteps(low), high: inSteps(high), years }
}

function stepOf(size: number): number {
  if (size < 200) return 5
  if (size < 2_000) return 10
  return size < 5_000 ? 50 : 100
}

/** Up to so much more or less, a year is about as the one before. */
const ABOUT_AS = 0.03

export function directionOf(change: number | null): 'up' | 'down' | 'level' {
  if (change === null || Math.abs(change) <= ABOUT_AS) return 'level'
  return change > 0 ? 'up' : 'down'
}

function curvesOf(
  seasons: readonly EarlierSeason[],
  forecast: Forecast | null,
  days: SeasonDays,
  { cohort, rounding }: BoardQuery,
): BoardCurves {
  const all = Array.from({ length: days.last - days.first + 1 }, (_, index) => days.first + index)
  const shown = rounding.isWeekly ? all.filter((day) => day % WEEK === 0 || day === days.last) : all
  const countsOf = ({ cumulative }: EarlierSeason) => {
    const had = cumulative.length === 0 ? 0 : cumulative.length + (rounding.isWeekly ? WEEK - 1 : 0)
    return shown
      .filter((day) => day - days.first < had)
      .map((day) => rounding.count(cumulative[Math.min(day - days.first, cumulative.length - 1)] ?? 0))
  }
  return {
    days: shown,
    today: days.today,
    cohorts: seasons
      .filter(({ year }) => year > cohort - COHORTS_SHOWN)
      .map((season) => ({ year: season.year, counts: countsOf(season) })),
    fan: fanOf(seasons, forecast, days.today),
  }
}

function fanOf(
  [own, ...earlier]: readonly EarlierSeason[],
  forecast: Forecast | null,
  today: number,
): BoardCurves['fan'] {
  if (own === undefined || forecast === null) return []
  const { low, high, expected } = forecast
  const came = own.cumulative.at(-1) ?? 0
  const at = (end: number, share: number) => Math.round(came + share * (end - came))
  const shares = courseFrom(own.cumulative.length - 1, earlier)
  return shares.flatMap((share, day) => {
    const isShown = day % WEEK === 0 || day === shares.length - 1
    const point = { low: at(low, share), high: at(high, share), expected: at(expected, share) }
    return isShown ? [{ day: today + day, ...point }] : []
  })
}
