import fc from 'fast-check'
import { defaultAdmissionCycle } from '@/lib/contract/settings'
import { addWorkRows, type Board, buildSeasonBoard } from '@/lib/interest/board'
import { findAdmissionYear, findDayZero } from '@/lib/interest/cohort'
import { type DaysByYear, mergeArrivals } from '@/lib/interest/interest-table'
import { exactRounding, type Rounding } from '@/lib/interest/rounding'
import { createSchoolWork, type SchoolWork, toWorkRow } from '@/lib/interest/school-work'

export const COHORT = 2027
const cycle = defaultAdmissionCycle
export const findCohortDayZero = (year: number) => findDayZero(year, cycle)
const findFirstDay = (year: number) => findAdmissionYear(year, cycle).firstDay

/** Returns the day of each declaration of a year that has `perDay` of them on each of its first days. */
export function listSteadyDays(year: number, perDay: number, dayCount = 365): number[] {
  const firstDay = findFirstDay(year)
  return Array.from({ length: Math.round(perDay * dayCount) }, (_, index) => firstDay + Math.floor(index / perDay))
}

/** Returns `COHORT` with `perDay` declarations on each of its first 80 days, and whole years before it. */
export function createSteadyYears(perDay: number, ...perDayBefore: number[]): DaysByYear {
  const days = new Map([[COHORT, listSteadyDays(COHORT, perDay, 80)]])
  for (const [ago, count] of perDayBefore.entries()) days.set(COHORT - 1 - ago, listSteadyDays(COHORT - 1 - ago, count))
  return days
}

const SCHOOLS = ['Norra', 'Södra', 'Östra', 'Björkängen', 'Ängslyckan'].map((name) => {
  return { id: name.toLowerCase(), name }
})

export type World = {
  days: ReadonlyMap<string, DaysByYear>
  work: ReadonlyMap<string, SchoolWork>
  /** The number of days of the admission year that have passed. */
  passedDays: number
}
type BySchool<T> = Readonly<Record<string, T>>
type WorldOptions = { passedDays?: number; work?: BySchool<Partial<SchoolWork>> }

export function createWorld(days: BySchool<DaysByYear>, { passedDays = 80, work = {} }: WorldOptions = {}): World {
  const works = Object.entries(work).map(([id, part]) => [id, { ...createSchoolWork(), ...part }] as const)
  return { days: new Map(Object.entries(days)), passedDays, work: new Map(works) }
}

type BoardOptions = { rounding?: Rounding; school?: string; cohort?: number }

export function buildBoard({ days, work, passedDays }: World, options: BoardOptions = {}): Board {
  const { rounding = exactRounding, school: chosenId, cohort = COHORT } = options
  const schools = SCHOOLS.filter(({ id }) => days.has(id) && (chosenId === undefined || id === chosenId))
  const ids = schools.map(({ id }) => id)
  const findDays = (id: string): DaysByYear => days.get(id) ?? new Map()
  const mergeDays = (all: string[]) => mergeArrivals(all.map((id) => ({ days: findDays(id), weeks: new Map() }))).days
  const board = buildSeasonBoard({
    schools: schools.map((school) => ({ school, declarationDays: findDays(school.id) })),
    chosenDays: mergeDays(ids),
    scopeDays: mergeDays([...days.keys()]),
    cohort,
    cycle,
    todayEpochDay: findFirstDay(COHORT) + passedDays - 1,
    rounding,
  })
  return addWorkRows(board, (schoolId) => {
    const works = (schoolId === null ? ids : [schoolId]).flatMap((id) => work.get(id) ?? [])
    return toWorkRow(works, rounding)
  })
}

const arbitrarySchool = fc.record({
  /** The numbers of declarations in this year and in each year before. */
  yearCounts: fc.array(fc.oneof(fc.constant(0), fc.nat(60), fc.nat(900)), { minLength: 1, maxLength: 4 }),
  busiestFortnight: fc.nat(25),
  work: fc
    .record({ waitingCount: fc.nat(30), lateCount: fc.nat(9), judgedCount: fc.nat(80), metGoalPercent: fc.nat(100) })
    .map(({ metGoalPercent, ...counts }) => ({
      ...counts,
      lateCount: Math.min(counts.lateCount, counts.waitingCount),
      metGoalCount: Math.round((counts.judgedCount * metGoalPercent) / 100),
    })),
})

/** Seasons on any day of a year, of schools that have existed for different numbers of years. */
export const arbitraryWorld = fc
  .record({
    schools: fc.array(arbitrarySchool, { minLength: 1, maxLength: SCHOOLS.length }),
    passedDays: fc.integer({ min: 1, max: 380 }),
  })
  .map(({ schools, passedDays }): World => {
    const days: Record<string, DaysByYear> = {}
    const work: Record<string, Partial<SchoolWork>> = {}
    for (const [index, { yearCounts, busiestFortnight, work: schoolWork }] of schools.entries()) {
      const id = SCHOOLS[index]?.id ?? ''
      work[id] = schoolWork
      days[id] = new Map(
        yearCounts.map((count, yearsAgo): [number, number[]] => {
          const yearDays = Array.from({ length: count }, (_, place) => drawDay(place, count, busiestFortnight))
          const cameDays = yearsAgo === 0 ? yearDays.filter((day) => day < passedDays) : yearDays
          const firstDay = findFirstDay(COHORT - yearsAgo)
          return [COHORT - yearsAgo, cameDays.toSorted((a, b) => a - b).map((day) => firstDay + day)]
        }),
      )
    }
    return createWorld(days, { passedDays, work })
  })

/** Spreads half of the declarations evenly over the year, and half over a fortnight. */
function drawDay(place: number, count: number, busiestFortnight: number): number {
  return place % 2 === 0 ? Math.floor((place / count) * 365) : busiestFortnight * 14 + (place % 14)
}
