import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AskedQuestion, DeclarationOfInterest } from '@/lib/contract/lead'
import { arbitraryChoice, arbitraryLeads, arbitraryReach } from '@/lib/interest/testing/arbitrary-leads'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { epochDay } from '@/lib/time/stockholm'
import { countedLeads } from './counted-leads'
import { interestCounts, type InterestSelection } from './interest-counts'
import { FEW } from './small-groups'
import { toldLeads } from './told-leads'
import { inWholeWeeks, withheldCounts, withheldHeadline } from './withheld'

const open = { from: -Infinity, to: Infinity }
const week = fc.integer({ min: epochDay('2025-09-01'), max: epochDay('2027-04-30') })
const period = fc.tuple(week, fc.nat({ max: 300 })).map(([from, days]) => ({ from, to: from + days }))

/** Everything as it is, and as it is told, of all time or within a period. */
const bothIn = (days: typeof period) => fc.tuple(arbitraryLeads, arbitraryReach, arbitraryChoice, days).map(compared)
const bothOfAll = bothIn(fc.constant(open))

function compared([leads, reach, schools, days]: [
  { declarations: DeclarationOfInterest[]; questions: AskedQuestion[] },
  'all' | ReadonlySet<string>,
  ReadonlySet<string> | null,
  typeof open,
]) {
  const tables = {
    declarations: leadTableOf('declaration-of-interest', leads.declarations),
    questions: leadTableOf('asked-question', leads.questions),
  }
  const counted = countedLeads(tables, reach)
  const selection: InterestSelection = { schools, ...days }
  return { exact: interestCounts(counted, selection), told: withheldCounts(toldLeads(counted), selection) }
}

const keyed = (cells: readonly { highSchoolId: string; year: number | null; declarations: number }[]) =>
  new Map(cells.map((cell) => [`${cell.highSchoolId} ${cell.year}`, cell.declarations]))

describe('counts for who may only count', () => {
  it('tell no number from 1 to 4 but the one that stands for them', () => {
    fc.assert(
      fc.property(bothIn(fc.oneof(fc.constant(open), period)), ({ told }) => {
        const counts = [...told.cells, ...told.byYear, ...told.bySchool, told.total]
        const numbers = [
          ...counts.flatMap(({ declarations, people }) => [declarations, people]),
          ...told.weeks.flatMap(({ declarations, questions }) => [declarations, questions]),
          ...[...told.modes, ...told.bySchool, told.total].map(({ questions }) => questions),
        ]
        expect(numbers.filter((number) => number > 0 && number < FEW)).toEqual([])
      }),
    )
  })

  it('have each school and year exactly if it has five, and else as few, when no period is chosen', () => {
    fc.assert(
      fc.property(bothOfAll, ({ exact, told }) => {
        const asFew = exact.cells.map((cell) => ({ ...cell, declarations: Math.max(FEW, cell.declarations) }))
        expect(keyed(told.cells)).toEqual(keyed(asFew))
        for (const school of told.bySchool) {
          const { questions = 0 } =
            exact.bySchool.find(({ highSchoolId }) => highSchoolId === school.highSchoolId) ?? {}
          expect(school.questions).toBe(questions === 0 ? 0 : Math.max(FEW, questions))
        }
      }),
    )
  })

  it('have sums of what is told, which say that they are approximate where few are in them', () => {
    fc.assert(
      fc.property(bothOfAll, ({ exact, told }) => {
        const fewOf = (cells: typeof exact.cells) => cells.filter(({ declarations }) => declarations < 5)
        expect(told.total.isAbout ?? false).toBe(told.total.people === FEW || fewOf(exact.cells).length > 0)
        const few = fewOf(exact.cells)
        const many = exact.total.declarations - few.reduce((sum, { declarations }) => sum + declarations, 0)
        const sum = many + Math.round(few.length * 2.5)
        expect(told.total.declarations).toBe(sum > 0 ? Math.max(FEW, sum) : 0)
        for (const { year, declarations, isAbout } of told.byYear) {
          const cells = exact.cells.filter((cell) => cell.year === year)
          const all = cells.reduce((total, cell) => total + cell.declarations, 0)
          const isExact = fewOf(cells).length === 0
          expect([isExact ? declarations : all, isAbout ?? false]).toEqual([all, !isExact])
        }
      }),
    )
  })

  it('never say that there are fewer people than there are, nor more than declared', () => {
    fc.assert(
      fc.property(bothOfAll, ({ exact, told }) => {
        for (const { highSchoolId, year, people, declarations } of told.cells) {
          const cell = exact.cells.find((one) => one.highSchoolId === highSchoolId && one.year === year)
          expect(people).toBeGreaterThanOrEqual(Math.min(FEW, cell?.people ?? 0))
          expect(people).toBeLessThanOrEqual(declarations)
          expect(people > FEW ? people - (cell?.people ?? 0) : 0).toBeLessThan(5)
        }
      }),
    )
  })

  it('have curves that never rise by fewer than five, and end with all that are told of the year', () => {
    fc.assert(
      fc.property(bothOfAll, ({ told }) => {
        for (const { year, declarations } of told.years) {
          expect([...declarations.values()].filter((step) => step < 5)).toEqual([])
          const all = [...declarations.values()].reduce((sum, step) => sum + step, 0)
          const many = told.cells.filter((cell) => cell.year === year && cell.declarations > FEW)
          expect(all).toBe(many.reduce((sum, cell) => sum + cell.declarations, 0))
        }
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
    expect(inWholeWeeks({ schools: null, ...open })).toMatchObject(open)
  })

  it('have a headline with the few of the cohort, approximately', () => {
    const many = { declarations: 9, people: 6 }
    const headline = { cycleDay: -3, now: many, before: { declarations: 3, people: 2 }, beforeInAll: many }
    expect(withheldHeadline(headline, { few: 2, fewBefore: 0 })).toEqual({
      cycleDay: -3,
      now: { declarations: 14, people: 11, isAbout: true },
      before: { declarations: FEW, people: FEW, isAbout: true },
      beforeInAll: many,
    })
    const none = { ...headline, now: { declarations: 0, people: 0 }, before: null, beforeInAll: null }
    expect(withheldHeadline(none, { few: 1, fewBefore: 0 }).now).toMatchObject({ declarations: FEW, people: FEW })
  })
})
