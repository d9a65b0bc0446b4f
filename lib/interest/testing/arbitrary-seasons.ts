import fc from 'fast-check'
import { defaultAdmissionCycle } from '@/lib/contract/settings'
import { addWorkRows, type Board, buildSeasonBoard } from '@/lib/interest/board'
import { findAdmissionYear, findDayZero } from '@/lib/interest/cohort'
import { type DaysByYear, mergeArrivals } from '@/lib/interest/interest-table'
import { exactRounding, type Rounding } from '@/lib/interest/rounding'
import { createSchoolWork, type SchoolWork, toWorkRow } from '@/lib/interest/school-work'

export const COHORT = 2027
const cycle = defaultAdmissionCycle
export const zeroOf = (year: number) => findDayZero(year, cycle)
const begins = (year: number) => findAdmissionYear(year, cycle).firstDay

/** Returns the days of a year with `aDay` declarations on each, of which `passed` days have gone. */
export function steady(year: number, aDay: number, passed = 365): number[] {
  return Array.from({ length: Math.round(aDay * passed) }, (_, place) => begins(year) + Math.floor(place / aDay))
}

/** `now` declarations on each of the first 80 days of this year, and a number on each day of every year before. */
export function yearly(now: number, ...before: number[]): DaysByYear {
  const seasons = before.map((aDay, ago): [number, number[]] => [COHORT - 1 - ago, steady(COHORT - 1 - ago, aDay)])
  return new Map([[COHORT, steady(COHORT, now, 80)], ...seasons])
}

const SCHOOLS = ['Norra', 'Södra', 'Östra', 'Björkängen', 'Ängslyckan'].map((name) => {
  return { id: name.toLowerCase(), name }
})

export type World = {
  days: ReadonlyMap<string, DaysByYear>
  work: ReadonlyMap<string, SchoolWork>
  /** So many days of the admission year have gone. */
  passed: number
}
type BySchool<T> = Readonly<Record<string, T>>
type Extent = { passed?: number; work?: BySchool<Partial<SchoolWork>> }
export function worldOf(days: BySchool<DaysByYear>, { passed = 80, work = {} }: Extent = {}): World {
  const works = Object.entries(work).map(([id, one]) => [id, { ...createSchoolWork(), ...one }] as const)
  return { days: new Map(Object.entries(days)), passed, work: new Map(works) }
}

type Look = { rounding?: Rounding; school?: string; cohort?: number }

export function boardIn({ days, work, passed }: World, look: Look = {}): Board {
  const { rounding = exactRounding, school, cohort = COHORT } = look
  const schools = SCHOOLS.filter(({ id }) => days.has(id) && (school === undefined || id === school))
  const daysOf = (id: string): DaysByYear => days.get(id) ?? new Map()
  const inAll = (ids: readonly string[]) =>
    mergeArrivals(ids.map((id) => ({ days: daysOf(id), weeks: new Map() }))).days
  const board = buildSeasonBoard({
    schools: schools.map((one) => ({ school: one, declarationDays: daysOf(one.id) })),
    chosenDays: inAll(schools.map(({ id }) => id)),
    scopeDays: inAll([...days.keys()]),
    cohort,
    cycle,
    todayEpochDay: begins(COHORT) + passed - 1,
    rounding,
  })
  const workOf = (ids: readonly string[]) => ids.map((id) => work.get(id) ?? createSchoolWork())
  return addWorkRows(board, (id) => toWorkRow(workOf(id === null ? schools.map((one) => one.id) : [id]), rounding))
}

const school = fc.record({
  /** The numbers of declarations in this year and in each year before. */
  sizes: fc.array(fc.oneof(fc.constant(0), fc.nat(60), fc.nat(900)), { minLength: 1, maxLength: 4 }),
  /** The busiest fortnight. */
  peak: fc.nat(25),
  waiting: fc.nat(30),
  late: fc.nat(9),
  judged: fc.nat(80),
  /** So many of a hundred leads met the goal. */
  metGoal: fc.nat(100),
})

/** Seasons on any day of a year, of schools that have existed for different numbers of years. */
export const arbitraryWorld = fc
  .record({
    schools: fc.array(school, { minLength: 1, maxLength: SCHOOLS.length }),
    passed: fc.integer({ min: 1, max: 380 }),
  })
  .map(({ schools, passed }): World => {
    const named = schools.map((one, place) => ({ ...one, id: SCHOOLS[place]?.id ?? '' }))
    const yearsOf = ({ sizes, peak }: (typeof named)[number]): DaysByYear => {
      const seasons = sizes.map((size, before): [number, number[]] => {
        const days = Array.from({ length: size }, (_, at) => dayOf(at, size, peak)).toSorted((a, b) => a - b)
        const seen = before === 0 ? days.filter((day) => day < passed) : days
        return [COHORT - before, seen.map((day) => begins(COHORT - before) + day)]
      })
      return new Map(seasons)
    }
    const days = Object.fromEntries(named.map((one) => [one.id, yearsOf(one)]))
    const works = named.map(({ id, waiting, late, judged, metGoal }) => {
      return [id, { waiting, late: Math.min(late, waiting), judged, metGoal: Math.round((judged * metGoal) / 100) }]
    })
    return worldOf(days, { passed, work: Object.fromEntries(works) })
  })

/** Half of the declarations come evenly over the year, half in a fortnight. */
function dayOf(at: number, size: number, peak: number): number {
  return at % 2 === 0 ? Math.floor((at / size) * 365) : peak * 14 + (at % 14)
}
