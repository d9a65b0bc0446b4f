import type { AnswerFigures, Count } from '@/lib/contract/interest'
import type { HighSchool } from '@/lib/contract/lead'
import type { AdmissionCycle } from '@/lib/contract/settings'
import { sizeOf } from './axis'
import type { BoardCounts } from './board-counts'
import { type Change, changeOf, isBeyondChance } from './chance'
import { dayZero } from './cohort'
import { courseFrom, type EarlierSeason, type Forecast, forecastOf, noiseOf } from './forecast'
import {
  addedUp,
  blurOf,
  countAt,
  isComplete,
  seasonDays,
  type SeasonDays,
  seasonOf,
  type Spelling,
  sumOf,
} from './seasons'

/** What a principal compares: a school, or all of them together. */
export type BoardRow = {
  now: Count
  /** At the same point of the year before; null where no declaration was for it. */
  before: Count | null
  beforeInAll: Count | null
  change: Change | null
  /** By how much this year was ahead of the one before at the end of each week, as a share; without the first few. */
  season: readonly number[]
  forecast: { low: number; high: number; years: readonly number[] } | null
  /** Of those who declared to several schools, the share who did so here first; null of too few. */
  first: number | null
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
  /** Earlier years that had fewer by now, beyond chance; null where one had as many, or only one is known. */
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

/** All that a manager sees comes from rounded counts: of schools, of ends of weeks, of sums over them. */
export function boardOf(query: BoardQuery): Board {
  const { schools, cohort, cycle, today, answers, spell } = query
  const days = seasonDays(cohort, cycle, today)
  const seasons = schools.map(({ id }) => seasonsOf(query, days, id))
  const years = Array.from({ length: EARLIER_YEARS + 1 }, (_, index) => cohort - index)
  const together = years
    .map((year) =>
      addedUp(
        year,
        seasons.flatMap((own) => own.find((one) => one.year === year) ?? []),
      ),
    )
    .filter((season) => season.year === cohort || isComplete(season))
  const rows = schools.map((school, index): SchoolOnBoard => {
    const totals = totalsOf(query, days, together, school.id)
    const { several, first } = severalOf(query, school.id)
    return {
      school,
      ...totals,
      ...compared(seasons[index] ?? [], together, totals, query),
      first: shareOf(first, several, spell),
      ...waitingOf(query, school.id),
      ...judgedOf(answers.bySchool.get(school.id)),
    }
  })
  return {
    all: totalOf(rows, together, query),
    schools: rows,
    recordOf: recordOf(together),
    curves: curvesOf(together, days, query),
  }
}

function seasonsOf({ counts, cohort, cycle, today, spell }: BoardQuery, days: SeasonDays, school: string) {
  return [...(counts.get(school) ?? [])].flatMap(([year, own]): EarlierSeason[] => {
    if (year > cohort || year < cohort - EARLIER_YEARS || own.days.length === 0) return []
    const zero = dayZero(year, cycle)
    return [{ year, cumulative: seasonOf(own.days, zero, days, today - zero, spell), blur: blurOf(spell) }]
  })
}

type Totals = Pick<BoardRow, 'now' | 'before' | 'beforeInAll'>

/** A year that was not seen from its beginning is none to compare with. */
function totalsOf(
  { counts, cohort, cycle, spell }: BoardQuery,
  { today, last }: SeasonDays,
  together: readonly EarlierSeason[],
  school: string,
): Totals {
  const own = counts.get(school)
  const now = spell.count(own?.get(cohort)?.days.length ?? 0)
  const before = own?.get(cohort - 1)?.days ?? []
  const isSeen = together.some(({ year }) => year === cohort - 1)
  if (before.length === 0 || !isSeen) return { now, before: null, beforeInAll: null }
  const beforeInAll = spell.count(before.length)
  if (today >= last) return { now, before: beforeInAll, beforeInAll }
  return { now, before: spell.count(countAt(before, dayZero(cohort - 1, cycle), today, spell)), beforeInAll }
}

function severalOf({ counts, cohort, spell }: BoardQuery, school: string): { several: number; first: number } {
  const { several = 0, first = 0 } = counts.get(school)?.get(cohort) ?? {}
  return { several: sizeOf(spell.count(several)), first: sizeOf(spell.count(first)) }
}

function shareOf(part: number, of: number, { leastOfShare }: Spelling): number | null {
  return of < Math.max(1, leastOfShare) ? null : Math.min(1, Math.round((part / of) * 100) / 100)
}

type Compared = Pick<BoardRow, 'change' | 'season' | 'forecast'>

function compared(
  seasons: readonly EarlierSeason[],
  course: readonly EarlierSeason[],
  totals: Totals,
  { cohort, spell, schools }: BoardQuery,
): Compared {
  const isAll = seasons === course
  const soFar = course[0]?.cumulative.length ?? 0
  const none = { year: cohort, cumulative: Array.from({ length: soFar }, () => 0), blur: 0 }
  const own = seasons.find(({ year }) => year === cohort) ?? none
  const last = seasons.find(({ year }) => year === cohort - 1)
  const { now, before } = totals
  const forecast = forecastIn(seasons, course, own)
  return {
    change:
      before === null ? null : changeOf(now, before, noiseOf(own, course.slice(1)), spell, isAll ? 1 : schools.length),
    season: before === null ? [] : aheadByWeek(own.cumulative, last?.cumulative ?? []),
    forecast: forecast && shownRange(forecast, sizeOf(now)),
  }
}

function forecastIn(
  seasons: readonly EarlierSeason[],
  [now, ...earlier]: readonly EarlierSeason[],
  own: EarlierSeason,
): Forecast | null {
  const before = seasons.filter((season) => season.year !== now?.year && isComplete(season))
  return forecastOf(own, before, earlier)
}

const WEEK = 7
/** Of fewer, a line would only show chance. */
const LEAST_FOR_LINE = 25

function aheadByWeek(own: readonly number[], last: readonly number[]): number[] {
  const ends = Array.from({ length: Math.floor(own.length / WEEK) }, (_, week) => week * WEEK + WEEK - 1)
  const ofToday = own.length % WEEK === 0 ? [] : [own.length - 1]
  return [...ends, ...ofToday].flatMap((day) => {
    const before = last[day] ?? 0
    return before < LEAST_FOR_LINE ? [] : [Math.round(((own[day] ?? 0) / before - 1) * 100) / 100]
  })
}

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

function waitingOf({ waiting, spell }: BoardQuery, school: string): Pick<BoardRow, 'waiting' | 'late'> {
  const { waiting: waits = 0, late = 0 } = waiting.get(school) ?? {}
  return { waiting: spell.count(waits), late: spell.count(late) }
}

function judgedOf(answers: Judged | undefined): Pick<BoardRow, 'judged' | 'withinGoal'> {
  return { judged: answers?.counted ?? 0, withinGoal: answers?.withinGoal ?? null }
}

/** The counts of the rows as they are shown, added up. */
function totalOf(rows: readonly SchoolOnBoard[], together: readonly EarlierSeason[], query: BoardQuery): BoardRow {
  const { spell, answers, schools } = query
  const sum = (of: (row: BoardRow) => Count | null) =>
    sumOf(
      spell,
      rows.flatMap((row) => of(row) ?? []),
    )
  const hasBefore = rows.some(({ before }) => before !== null)
  const totals: Totals = {
    now: sum(({ now }) => now),
    before: hasBefore ? sum(({ before }) => before) : null,
    beforeInAll: hasBefore ? sum(({ beforeInAll }) => beforeInAll) : null,
  }
  const several = schools.map(({ id }) => severalOf(query, id))
  const inAll = (name: 'several' | 'first') => several.reduce((total, one) => total + one[name], 0)
  return {
    ...totals,
    ...compared(together, together, totals, query),
    first: shareOf(inAll('first'), inAll('several'), spell),
    waiting: sum(({ waiting }) => waiting),
    late: sum(({ late }) => late),
    ...judgedOf(answers.all),
  }
}

function recordOf([now, ...earlier]: readonly EarlierSeason[]): number[] | null {
  const place = (now?.cumulative.length ?? 0) - 1
  const count = now?.cumulative[place] ?? 0
  const noise = now ? noiseOf(now, earlier) : 1
  const isMore = ({ cumulative }: EarlierSeason) => {
    const had = cumulative[place] ?? 0
    return count > had && isBeyondChance(count, had, noise, earlier.length)
  }
  return earlier.length > 1 && earlier.every(isMore) ? earlier.map(({ year }) => year) : null
}

function curvesOf(together: readonly EarlierSeason[], days: SeasonDays, { cohort, spell }: BoardQuery): BoardCurves {
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
    cohorts: together
      .filter(({ year }) => year > cohort - COHORTS_SHOWN)
      .map((season) => ({ year: season.year, counts: countsOf(season) })),
    fan: fanOf(together, days.today),
  }
}

function fanOf(together: readonly EarlierSeason[], today: number): BoardCurves['fan'] {
  const [own] = together
  const forecast = own ? forecastIn(together, together, own) : null
  if (own === undefined || forecast === null) return []
  const { low, high, expected } = forecast
  const came = own.cumulative.at(-1) ?? 0
  const at = (end: number, share: number) => Math.round(came + share * (end - came))
  const shares = courseFrom(own.cumulative.length - 1, together.slice(1))
  return shares.flatMap((share, day) => {
    const isShown = day % WEEK === 0 || day === shares.length - 1
    const point = { low: at(low, share), high: at(high, share), expected: at(expected, share) }
    return isShown ? [{ day: today + day, ...point }] : []
  })
}
