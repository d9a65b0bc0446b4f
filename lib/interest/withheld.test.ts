import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { epochDay } from '@/lib/time/stockholm'
import type { InterestCounts } from './interest-counts'
import {
  FEW,
  inWholeWeeks,
  withheldHeadline,
  withheldTimeToHandled,
  withoutSmallGroups,
  steppedCurves,
} from './withheld'

const count = fc.integer({ min: 0, max: 12 })
const schools = ['n', 's']
const years = [2026, 2027, null]

const counts = fc
  .tuple(fc.array(count, { minLength: 6, maxLength: 6 }), fc.array(count, { minLength: 2, maxLength: 2 }))
  .map(([numbers, questions]) => countsOf(numbers, questions))

describe('counts without small groups', () => {
  it('tell no number from 1 to 4 but the one that stands for them', () => {
    fc.assert(
      fc.property(counts, (exact) => {
        const told = withoutSmallGroups(exact)
        const numbers = [
          ...told.cells.flatMap(({ declarations, people }) => [declarations, people]),
          ...told.weeks.flatMap(({ declarations, questions }) => [declarations, questions]),
          ...told.modes.map(({ questions }) => questions),
          ...told.bySchool.map(({ questions }) => questions),
        ]
        expect(numbers.filter((number) => number > 0 && number < FEW)).toEqual([])
      }),
    )
  })

  it('say the same of any counts that differ in small groups only, so that nothing can be subtracted', () => {
    fc.assert(
      fc.property(
        fc.array(count, { minLength: 6, maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 6, maxLength: 6 }),
        (numbers, others) => {
          const swapped = numbers.map((number, index) => (number > 0 && number < 5 ? (others[index] ?? 1) : number))
          const [one, other] = [countsOf(numbers, [6, 0]), countsOf(swapped, [6, 0])].map(withoutSmallGroups)
          expect(one?.cells).toEqual(other?.cells)
          expect(one?.total.declarations).toBe(other?.total.declarations)
          expect(one?.byYear.map(({ declarations }) => declarations)).toEqual(
            other?.byYear.map(({ declarations }) => declarations),
          )
        },
      ),
    )
  })

  it('are exact where there is no small group, and say of every sum with one in it that it is not', () => {
    fc.assert(
      fc.property(counts, (exact) => {
        const told = withoutSmallGroups(exact)
        const hasFew = (kept: typeof exact.cells) =>
          kept.some(({ declarations }) => declarations > 0 && declarations < 5)
        for (const [index, sum] of told.byYear.entries()) {
          const isAbout = hasFew(exact.cells.filter(({ year }) => year === sum.year))
          expect(isAbout ? sum.isAbout : sum).toEqual(isAbout || exact.byYear[index])
        }
        expect(told.total.isAbout ?? false).toBe(hasFew(exact.cells))
      }),
    )
  })

  it('are of whole ISO weeks', () => {
    const [from, to] = [epochDay('2026-11-18'), epochDay('2026-11-21')]
    expect(inWholeWeeks({ schools: null, from, to })).toEqual({
      schools: null,
      from: epochDay('2026-11-16'),
      to: epochDay('2026-11-22'),
    })
    expect(inWholeWeeks({ schools: null, from: -Infinity, to: Infinity })).toMatchObject({
      from: -Infinity,
      to: Infinity,
    })
  })

  it('have curves that never rise by fewer than five, and end where they stood within four', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 30 }), (arrivals) => {
        let sum = 0
        const exact = arrivals.map((arrived) => (sum += arrived))
        const curves = {
          firstDay: 0,
          lastDay: 30,
          today: 30,
          cohorts: [{ year: 2027, declarations: exact, people: exact }],
        }
        const told = steppedCurves(curves).cohorts[0]?.declarations ?? []
        expect(told).toHaveLength(exact.length)
        const steps = told.map((value, day) => value - (told[day - 1] ?? 0))
        expect(steps.filter((step) => step !== 0 && step < 5)).toEqual([])
        expect(sum - (told.at(-1) ?? 0)).toBeLessThan(5)
      }),
    )
  })

  it('have a headline without few', () => {
    const exact = { declarations: 3, people: 2 }
    const told = { declarations: FEW, people: FEW, isAbout: true }
    const many = { declarations: 9, people: 6 }
    expect(withheldHeadline({ cycleDay: -3, now: exact, before: many, beforeInAll: null })).toEqual({
      cycleDay: -3,
      now: told,
      before: many,
      beforeInAll: null,
    })
  })

  it('come without the times of fewer than five leads', () => {
    const times = { medianMinutes: 10, p90Minutes: 20 }
    const told = withheldTimeToHandled({
      ...times,
      count: 8,
      bySchool: [
        { ...times, count: 3, highSchoolId: 'n' },
        { ...times, count: 5, highSchoolId: 's' },
      ],
    })
    expect(told.medianMinutes).toBe(10)
    expect(told.bySchool).toEqual([
      { highSchoolId: 'n', count: FEW, medianMinutes: null, p90Minutes: null },
      { highSchoolId: 's', count: 5, ...times },
    ])
  })
})

function countsOf(numbers: readonly number[], questions: readonly number[]): InterestCounts {
  const cells = schools.flatMap((highSchoolId, school) =>
    years.map((year, column) => {
      const declarations = numbers[school * years.length + column] ?? 0
      return { highSchoolId, year, declarations, people: declarations }
    }),
  )
  const sum = (kept: typeof cells) => {
    const declarations = kept.reduce((total, cell) => total + cell.declarations, 0)
    return { declarations, people: declarations }
  }
  return {
    cells,
    byYear: years.map((year) => ({ year, ...sum(cells.filter((cell) => cell.year === year)) })),
    bySchool: schools.map((highSchoolId, index) => ({
      highSchoolId,
      ...sum(cells.filter((cell) => cell.highSchoolId === highSchoolId)),
      questions: questions[index] ?? 0,
    })),
    total: { ...sum(cells), questions: questions.reduce((total, one) => total + one, 0) },
    weeks: numbers.map((declarations, index) => ({ week: `2026-W1${index}`, declarations, questions: 0 })),
    modes: questions.map((one, index) => ({ mode: String(index), questions: one })),
    years: [],
  }
}
