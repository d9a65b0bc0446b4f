import type { AnswerFigures, Count } from '@/lib/contract/interest'
import type { HighSchool } from '@/lib/contract/lead'
import type { AdmissionCycle } from '@/lib/contract/settings'
import { sizeOf } from './axis'
import { addedUp, type BoardCounts, type SchoolYears } from './board-counts'
import { dayZero } from './cohort'
import { courseFrom, type Forecast, forecastOf } from './forecast'
import { changeOf, roundedSpelling } from './rounding'
import {
  blurOf,
  countAt,
  type EarlierSeason,
  isComplete,
  isSeenFrom,
  seasonDays,
  type SeasonDays,
  seasonOf,
  type Spelling,
} from './seasons'

/** What a principal compares: a school, or all of them together. */
export type BoardRow = {
  now: Count
  /** At the same point of the year before; null where no declaration was for it. */
  before: Count | null
  beforeInAll: Count | null
  /** As a share; null also where either is of too few. */
  change: number | null
  forecast: { low: number; high: number; years: readonly number[] } | null
  waiting: Count
  late: Count
  /** How many had a goal that was met or missed, and the share that met it; null of too few. */
  judged: Count
  withinGoal: number | null
}
export type SchoolOnBoard = BoardRow & { school: HighSchool }

export type Board = {
  all: BoardRow
  schools: readonly SchoolOnBoard[]
  /** Earlier years that had clearly fewer by now; null where one had not, or only one is known. */
  recordOf: readonly number[] | null
  curves: BoardCurves
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
  counts: BoardCounts
  schools: readonly HighSchool[]
  cohort: number
  cycle: AdmissionCycle
  /** Since 1 January 1970. */
  today: number
  waiting: ReadonlyMap<string, { waiting: number; late: number }>
  /** As they are shown. */
  answers: { all: Judged; bySchool: ReadonlyMap<string, Judged> }
  spell: Spelling
}
type Judged = Pick<AnswerFigures, 'counted' | 'withinGoal'>

const EARLIER_YEARS = 6
const COHORTS_SHOWN = 3

/**
 * What a manager sees comes from rounded counts alone: of a school or of all together, each rounded from its exact sum, at ends of
 * weeks. A row says the same on a page of its own as among others.
 */
export function boardOf(query: BoardQuery): Board {
  const { counts, schools, cohort, cycle, today, waiting, answers } = query
  const days = seasonDays(cohort, cycle, today)
  const isSeen = wasSeen(query, days)
  const rowOf = (years: SchoolYears, work: Work): Counted => {
    const seasons = seasonsOf(query, days, years, query.spell)
    const totals = totalsOf(query, days, years, isSeen)
    // From what is published, for everybody, so that a school has one forecast.
    const published = query.spell === roundedSpelling ? seasons : seasonsOf(query, days, years, roundedSpelling)
    const forecast = forecastIn(published)
    return {
      seasons,
      forecast,
      row: {
        ...totals,
        change: totals.before === null ? null : changeOf(totals.now, totals.before),
        forecast: forecast && shownRange(forecast, sizeOf(totals.now)),
        ...workOf(work, query.spell),
      },
    }
  }
  const none = { waiting: 0, late: 0, counted: 0, withinGoal: null }
  const own = schools.map((school) => ({
    school,
    ...rowOf(counts.get(school.id) ?? new Map(), {
      ...none,
      ...waiting.get(school.id),
      ...answers.bySchool.get(school.id),
    }),
  }))
  const inAll = (name: 'waiting' | 'late') => schools.reduce((sum, { id }) => sum + (waiting.get(id)?.[name] ?? 0), 0)
  const [alone, ...others] = own
  const all =
    alone && others.length === 0
      ? alone
      : rowOf(addedUp(counts, new Set(schools.map(({ id }) => id))), {
          ...answers.all,
          waiting: inAll('waiting'),
          late: inAll('late'),
        })
  const shown = all.seasons.filter((season) => season.year === cohort || isComplete(season))
  return {
    all: all.row,
    schools: own.map(({ school, row }) => ({ school, ...row })),
    recordOf: recordOf(shown),
    curves: curvesOf(shown, all.forecast, days, query),
  }
}

type Counted = { row: BoardRow; seasons: readonly EarlierSeason[]; forecast: Forecast | null }

/** The cohort's own season first, also where nothing has come. */
function seasonsOf(
  { cohort, cycle, today }: BoardQuery,
  days: SeasonDays,
  years: SchoolYears,
  spell: Spelling,
): EarlierSeason[] {
  return Array.from({ length: EARLIER_YEARS + 1 }, (_, ago) => cohort - ago).flatMap((year) => {
    const own = years.get(year) ?? []
    if (own.length === 0 && year !== cohort) return []
    const zero = dayZero(year, cycle)
    return [{ year, cumulative: seasonOf(own, zero, days, today - zero, spell), blur: blurOf(spell) }]
  })
}

/** A year that was not seen from its beginning, at any school, is none to compare with. */
function wasSeen({ counts, cycle }: BoardQuery, { first }: SeasonDays): (year: number) => boolean {
  return (year) => [...counts.values()].some((years) => isSeenFrom(years.get(year) ?? [], dayZero(year, cycle) + first))
}

type Totals = Pick<BoardRow, 'now' | 'before' | 'beforeInAll'>

function totalsOf(
  { cohort, cycle, spell }: BoardQuery,
  { today, last }: SeasonDays,
  years: SchoolYears,
  isSeen: (year: number) => boolean,
): Totals {
  const now = spell.count(years.get(cohort)?.length ?? 0)
  const before = years.get(cohort - 1) ?? []
  if (before.length === 0 || !isSeen(cohort - 1)) return { now, before: null, beforeInAll: null }
  const beforeInAll = spell.count(before.length)
  if (today >= last) return { now, before: beforeInAll, beforeInAll }
  return { now, before: spell.count(countAt(before, dayZero(cohort - 1, cycle), today, spell)), beforeInAll }
}

function forecastIn([own, ...others]: readonly EarlierSeason[]): Forecast | null {
  return own ? forecastOf(own, others.filter(isComplete)) : null
}

const WEEK = 7
/** As one says it: "3 900–4 500". */
export function shownRange({ low, high, expected, years }: Forecast, now: number): NonNullable<BoardRow['forecast']> {
  const step = stepOf(expected)
  const inSteps = (size: number) => Math.max(now, Math.round(size / step) * step)
  return { low: inSteps(low), high: inSteps(high), years }
}

function stepOf(size: number): number {
  if (size < 200) return 5
  if (size < 2_000) return 10
  return size < 5_000 ? 50 : 100
}

type Work = { waiting: number; late: number } & Judged

function workOf({ waiting, late, counted, withinGoal }: Work, { count }: Spelling) {
  return { waiting: count(waiting), late: count(late), judged: counted, withinGoal }
}

/** Up to so much more or less, a year is about as the one before. */
const ABOUT_AS = 0.03

export function directionOf(change: number | null): 'up' | 'down' | 'level' {
  if (change === null || Math.abs(change) <= ABOUT_AS) return 'level'
  return change > 0 ? 'up' : 'down'
}

function recordOf([now, ...earlier]: readonly EarlierSeason[]): number[] | null {
  const place = (now?.cumulative.length ?? 0) - 1
  const count = now?.cumulative[place] ?? 0
  const isMore = ({ cumulative }: EarlierSeason) => count > (cumulative[place] ?? 0) * (1 + ABOUT_AS)
  return earlier.length > 1 && earlier.every(isMore) ? earlier.map(({ year }) => year) : null
}

function curvesOf(
  seasons: readonly EarlierSeason[],
  forecast: Forecast | null,
  days: SeasonDays,
  { cohort, spell }: BoardQuery,
): BoardCurves {
  const all = Array.from({ length: days.last - days.first + 1 }, (_, index) => days.first + index)
  const shown = spell.isWeekly ? all.filter((day) => day % WEEK === 0 || day === days.last) : all
  const countsOf = ({ cumulative }: EarlierSeason) => {
    const had = cumulative.length === 0 ? 0 : cumulative.length + (spell.isWeekly ? WEEK - 1 : 0)
    return shown
      .filter((day) => day - days.first < had)
      .map((day) => spell.count(cumulative[Math.min(day - days.first, cumulative.length - 1)] ?? 0))
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
