import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AskedQuestion, DeclarationOfInterest } from '@/lib/contract/lead'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { declaration, question } from '@/lib/leads/testing/leads'
import type { TriageEntry } from '@/lib/leads/triage-columns'
import { dayText, epochDay } from '@/lib/time/stockholm'
import { countedLeads } from './counted-leads'
import { answeredLeads } from './testing/answered-leads'
import type { InterestSelection } from './interest-counts'
import { toldTimeToAnswer } from './time-to-answer'
import { blocksOf, toldDays } from './told-days'
import { toldLeads } from './told-leads'
import { withheldCounts } from './withheld'

/** Mondays, four weeks apart. */
const MONDAYS = ['2026-08-03', '2026-08-31', '2026-09-28'].map((day) => epochDay(day))
const ALL: Pick<InterestSelection, 'from' | 'to'> = { from: -Infinity, to: Infinity }
const PERIODS = [
  ALL,
  ...MONDAYS.flatMap((from) => [
    { from, to: from + 6 },
    { from, to: Infinity },
    { from: -Infinity, to: from + 6 },
  ]),
]
const SCHOOLS = ['norra', 'sodra', 'ostra']
const CHOICES = [null, ...subsets(SCHOOLS).map((ids) => new Set(ids))]

const noon = (day: number) => `${dayText(day)}T10:00:00.000Z`

function subsets<T>(all: readonly T[]): T[][] {
  return all.reduce<T[][]>((sets, one) => [...sets, ...sets.map((set) => [...set, one])], [[]]).slice(1)
}

/** Everything that somebody who may only count can ask, with what is answered, as one text. */
function everyAnswer(
  declarations: DeclarationOfInterest[],
  questions: AskedQuestion[] = [],
  choices = CHOICES,
  periods = PERIODS,
): string {
  const tables = {
    declarations: leadTableOf('declaration-of-interest', declarations),
    questions: leadTableOf('asked-question', questions),
  }
  const told = toldLeads(countedLeads(tables, 'all'))
  const answers = choices.flatMap((schools) => periods.map((period) => withheldCounts(told, { schools, ...period })))
  return JSON.stringify(answers.map((answer) => inOrder({ ...answer, years: answer.years.map(asLists) })))
}

function asLists({ year, declarations, people }: ReturnType<typeof withheldCounts>['years'][number]) {
  return { year, declarations: [...declarations], people: [...people] }
}

/** In which order groups were met says nothing that is told: screens and answers order them anew. */
function inOrder(answer: object): object {
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((part) => JSON.stringify(part)).toSorted() : value,
    ]),
  )
}

let made = 0
const one = (school: string, year: number, day: number, person?: string) =>
  declaration(`d${(made += 1)}`, {
    school,
    createdAt: noon(day),
    highSchoolEnrollmentYear: year,
    email: person === undefined ? null : `${person}@example.org`,
  })
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

/**
 * Whether somebody who knows everything that can be asked, and how it is made, finds a number from 1 to 4: of all worlds that
 * answer alike, no such number may be the same in each.
 */
function pinned<World>(
  worlds: readonly World[],
  answer: (world: World) => string,
  numbers: (world: World) => number[],
) {
  const alike = Map.groupBy(worlds, answer)
  return [...alike.values()].flatMap((same) =>
    (same[0] === undefined ? [] : numbers(same[0])).flatMap((value, at) =>
      value >= 1 && value <= 4 && same.every((world) => numbers(world)[at] === value) ? [same[0]] : [],
    ),
  )
}

const grid = (...most: number[]): number[][] =>
  most.reduce<number[][]>((all, end) => all.flatMap((world) => times(end + 1, (value) => [...world, value])), [[]])

const sum = (...numbers: (number | undefined)[]) => numbers.reduce<number>((total, number) => total + (number ?? 0), 0)

/** Two by two: each, and the sums of the rows and of the columns. */
const sums = ([a = 0, b = 0, c = 0, d = 0]: number[]) => [a, b, c, d, a + b, c + d, a + c, b + d]

/** Worlds that are looked at; the others are there so that none of these is the largest there could be. */
const isInside = (world: number[], ...most: number[]) => most.every((end, at) => (world[at] ?? 0) <= end)

describe('an attacker who asks everything, of every world there could be', () => {
  const [early = 0, late = 0] = MONDAYS

  it('finds no small number of a school’s years and weeks', () => {
    const answer = ([a = 0, b = 0, c = 0, d = 0]: number[]) =>
      everyAnswer(
        [
          ...times(a, () => one('norra', 2027, early)),
          ...times(b, () => one('norra', 2027, late)),
          ...times(c, () => one('norra', 2028, early)),
          ...times(d, () => one('norra', 2028, late)),
        ],
        [],
        [null],
      )
    expect(pinned(grid(6, 6, 6, 6), answer, sums)).toEqual([])
  }, 60_000)

  it('finds no small number of two schools by taking one from both', () => {
    const answer = ([a = 0, b = 0, c = 0, d = 0]: number[]) =>
      everyAnswer(
        [
          ...times(a, () => one('norra', 2027, early)),
          ...times(b, () => one('norra', 2027, late)),
          ...times(c, () => one('sodra', 2027, early)),
          ...times(d, () => one('sodra', 2027, late)),
        ],
        [],
        [null, new Set(['norra']), new Set(['sodra']), new Set(['norra', 'sodra'])],
      )
    expect(pinned(grid(6, 6, 6, 6), answer, sums)).toEqual([])
  }, 60_000)

  it('finds not how few declared twice, or to two schools', () => {
    const answer = ([a = 0, b = 0, both = 0, twice = 0, later = 0]: number[]) =>
      everyAnswer(
        [
          ...times(a, () => one('norra', 2027, early)),
          ...times(b, () => one('sodra', 2027, early)),
          ...times(later, () => one('norra', 2027, late)),
          ...times(both, (at) => [one('norra', 2027, early, `b${at}`), one('sodra', 2027, late, `b${at}`)]).flat(),
          ...times(twice, (at) => [one('norra', 2027, early, `t${at}`), one('norra', 2027, late, `t${at}`)]).flat(),
        ],
        [],
        [null, new Set(['norra']), new Set(['sodra']), new Set(['norra', 'sodra'])],
        PERIODS.slice(0, 2),
      )
    // Nobody declares more than twice here, so that few people could be told from how often they did.
    const inside = ([a = 0, b = 0, both = 0, twice = 0, later = 0]: number[]) =>
      isInside([a, b, both, twice], 4, 5, 3, 3) && a + later + both + twice >= 5 && b + both >= 5 ? [both, twice] : []
    const found = pinned(grid(7, 7, 4, 4, 4), answer, inside)
    expect(found).toEqual([])
  }, 60_000)

  it('finds not how few ask for which way to be answered, or when', () => {
    const ask = (mode: string, day: number) => ({ ...question(`q${(made += 1)}`, { mode, createdAt: noon(day) }) })
    const answer = ([a = 0, b = 0, c = 0, d = 0]: number[]) =>
      everyAnswer(
        [],
        [
          ...times(a, () => ask('email', early)),
          ...times(b, () => ask('email', late)),
          ...times(c, () => ask('phone', early)),
          ...times(d, () => ask('phone', late)),
        ],
        [null],
      )
    const numbers = (world: number[]) => (isInside(world, 4, 4, 4, 4) ? sums(world) : [])
    expect(pinned(grid(8, 8, 8, 8), answer, numbers)).toEqual([])
  }, 60_000)

  it('finds not how few are handled, or left, nor how long few waited', () => {
    const leadsOf = (school: string, handled: number, left: number) => ({
      leads: times(handled + left, (at) => ({ ...one(school, 2027, early), id: `${school} ${at}` })),
      handled,
    })
    const answer = ([a = 0, b = 0, c = 0, d = 0]: number[]) => {
      const schools = [leadsOf('norra', a, b), leadsOf('sodra', c, d)]
      const declarations = schools.flatMap(({ leads }) => leads)
      const waited = { norra: 60_000, sodra: 6_000_000 }
      const entries = schools.flatMap(({ leads, handled }) =>
        leads.slice(0, handled).map(({ id, highSchoolId, createdAt }): [string, TriageEntry] => {
          const updatedAt = Date.parse(createdAt) + (highSchoolId === 'norra' ? waited.norra : waited.sodra)
          return [id, { status: 'handled', assigneeId: null, updatedAt }]
        }),
      )
      const tables = {
        declarations: leadTableOf('declaration-of-interest', declarations),
        questions: leadTableOf('asked-question', []),
      }
      const leads = countedLeads(tables, 'all')
      const triage = { declarations: new Map(entries), questions: new Map() }
      const told = toldLeads(leads)
      return JSON.stringify(
        [null, new Set(['norra']), new Set(['sodra'])].map((chosen) => [
          toldTimeToAnswer(answeredLeads(leads, triage), { schools: chosen }, told),
          withheldCounts(told, { schools: chosen, ...ALL }).bySchool,
        ]),
      )
    }
    const inside = (world: number[]) => (isInside(world, 9, 5, 5) ? world.slice(0, 3) : [])
    expect(pinned(grid(14, 9, 5, 0), answer, inside)).toEqual([])
  }, 60_000)
})

describe('the leads as they are told', () => {
  const day = fc.integer({ min: epochDay('2026-07-20'), max: epochDay('2026-10-04') })
  const lead = fc.record({ school: fc.constantFrom(...SCHOOLS), year: fc.constantFrom(2026, 2027), day })

  it('are those of a world without small groups: each block came on one day, each small group is of any size', () => {
    fc.assert(
      fc.property(fc.array(lead, { maxLength: 90 }), fc.integer({ min: 1, max: 4 }), day, (leads, size, when) => {
        const groups = [...Map.groupBy(leads, ({ school, year }) => `${school} ${year}`).values()]
        const otherWorld = groups.flatMap((group) => {
          const [{ school, year } = { school: '', year: 0 }] = group
          if (group.length < 5) return times(size, () => one(school, year, when))
          const blocks = blocksOf(group.map((own) => own.day).toSorted((a, b) => a - b))
          return blocks.flatMap((block) => times(block.size, () => one(school, year, block.end)))
        })
        const world = leads.map((own) => one(own.school, own.year, own.day))
        expect(everyAnswer(world)).toBe(everyAnswer(otherWorld))
      }),
      { numRuns: 60 },
    )
  }, 60_000)

  it('are as many as they are, in blocks of five or more, each within its days', () => {
    fc.assert(
      fc.property(fc.array(day, { minLength: 5, maxLength: 60 }), (unordered) => {
        const days = unordered.toSorted((a, b) => a - b)
        const blocks = blocksOf(days)
        expect(blocks.every(({ size }) => size >= 5)).toBe(true)
        expect(sum(...blocks.map(({ size }) => size))).toBe(days.length)
        const told = [...toldDays(Int32Array.from(days))]
        expect(told).toHaveLength(days.length)
        expect(told).toEqual(told.toSorted((a, b) => a - b))
        expect(Math.max(...told)).toBeLessThanOrEqual(days.at(-1) ?? 0)
      }),
    )
  })

  it('are told at most 27 days early, and but for the last block no more than four of them late', () => {
    fc.assert(
      fc.property(fc.array(day, { minLength: 5, maxLength: 60 }), (unordered) => {
        const days = unordered.toSorted((a, b) => a - b)
        const told = [...toldDays(Int32Array.from(days))]
        expect(told.filter((on, at) => on < (days[at] ?? 0) - 27)).toEqual([])
        const until = (all: number[], last: number) => all.filter((own) => own <= last).length
        const ends = blocksOf(days).map(({ end }) => end)
        for (const end of ends) expect(until(told, end)).toBe(until(days, end))
        const late = days.filter((own) => own <= (ends.at(-2) ?? -Infinity) && until(days, own) - until(told, own) > 4)
        expect(late).toEqual([])
      }),
    )
  })

  it('are spread evenly from one block to the end of the next, over four weeks at most', () => {
    expect([...toldDays(Int32Array.of(1, 1, 1, 1, 1))]).toEqual([-24, -18, -12, -7, -1])
    expect([...toldDays(Int32Array.of(1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 4, 5, 5, 5, 5))].slice(5)).toEqual([
      2, 2, 2, 2, 2, 2, 3, 3, 4, 5, 5,
    ])
  })
})
