import fc from 'fast-check'
import { defaultAdmissionCycle } from '@/lib/contract/settings'
import type { BoardCounts } from '@/lib/interest/board-counts'
import type { boardOf } from '@/lib/interest/board'
import { admissionYear, dayZero } from '@/lib/interest/cohort'
import { exact } from '@/lib/interest/seasons'

export const COHORT = 2027
const cycle = defaultAdmissionCycle
export const zeroOf = (year: number) => dayZero(year, cycle)
const begins = (year: number) => admissionYear(year, cycle).from

/** So many on each day of a year, of which `passed` days have gone. */
export function steady(year: number, aDay: number, passed = 365): number[] {
  return Array.from({ length: Math.round(aDay * passed) }, (_, place) => begins(year) + Math.floor(place / aDay))
}

const SCHOOLS = ['Norra', 'Södra', 'Östra', 'Björkängen', 'Ängslyckan'].map((name) => ({
  id: name.toLowerCase(),
  name,
}))

type Query = Parameters<typeof boardOf>[0]

/** The parts of a query; everything else is as usual. */
export function queryOf(counts: BoardCounts, passed: number, part: Partial<Query> = {}): Query {
  return {
    counts,
    schools: SCHOOLS.filter(({ id }) => counts.has(id)),
    cohort: COHORT,
    cycle,
    today: begins(COHORT) + passed - 1,
    waiting: new Map(),
    answers: { all: { counted: 0, withinGoal: null }, bySchool: new Map() },
    spell: exact,
    ...part,
  }
}

const share = fc.option(fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100))
const school = fc.record({
  /** How many in a whole year, this one and each before it. */
  sizes: fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 900 })), {
    minLength: 1,
    maxLength: 4,
  }),
  /** In which fortnight most came. */
  peak: fc.integer({ min: 0, max: 25 }),
  waiting: fc.integer({ min: 0, max: 30 }),
  late: fc.integer({ min: 0, max: 9 }),
  judged: fc.integer({ min: 0, max: 80 }),
  withinGoal: share,
})

/** Seasons as they may be seen on any day of a year, of schools that were there for different numbers of years. */
export const arbitraryBoard = fc
  .record({
    schools: fc.array(school, { minLength: 1, maxLength: SCHOOLS.length }),
    passed: fc.integer({ min: 1, max: 380 }),
    all: share,
  })
  .map(({ schools, passed, all }): Query => {
    const named = schools.map((one, place) => ({ ...one, ...(SCHOOLS[place] ?? { id: '', name: '' }) }))
    const yearsOf = ({ sizes, peak }: (typeof named)[number]) =>
      new Map(
        sizes.map((size, before): [number, number[]] => {
          const days = Array.from({ length: size }, (_, at) => dayOf(at, size, peak)).toSorted((a, b) => a - b)
          const seen = before === 0 ? days.filter((day) => day < passed) : days
          const year = COHORT - before
          return [year, seen.map((day) => begins(year) + day)]
        }),
      )
    return queryOf(new Map(named.map((one) => [one.id, yearsOf(one)])), passed, {
      waiting: new Map(named.map(({ id, waiting, late }) => [id, { waiting, late: Math.min(late, waiting) }])),
      answers: {
        all: { counted: 200, withinGoal: all },
        bySchool: new Map(named.map(({ id, judged, withinGoal }) => [id, { counted: judged, withinGoal }])),
      },
    })
  })

/** Half of them evenly over the year, half in a fortnight. */
function dayOf(at: number, size: number, peak: number): number {
  return at % 2 === 0 ? Math.floor((at / size) * 365) : peak * 14 + (at % 14)
}
