import { describe, expect, it } from 'vitest'
import { defaultAdmissionCycle } from '@/lib/contract/settings'
import { epochDay } from '@/lib/time/stockholm'
import { dayZero } from './cohort'
import { cycleCurves, headline } from './cohort-curves'
import type { YearDays } from './interest-counts'

const days = (counts: Record<string, number>) =>
  new Map(Object.entries(counts).map(([day, count]) => [epochDay(day), count]))
const years: YearDays[] = [
  {
    year: 2026,
    declarations: days({ '2025-06-01': 10, '2025-11-20': 5, '2025-11-21': 3, '2025-11-22': 2, '2026-05-01': 30 }),
    people: days({ '2025-06-01': 8, '2025-11-21': 4, '2026-05-01': 20 }),
  },
  { year: 2027, declarations: days({ '2026-06-01': 12, '2026-11-21': 9 }), people: days({ '2026-06-01': 15 }) },
]
const today = epochDay('2026-11-21')

describe('the headline', () => {
  const on = (all: readonly YearDays[], cohort: number, day: number) =>
    headline(all, cohort, defaultAdmissionCycle, day - dayZero(cohort, defaultAdmissionCycle))

  it('compares with the cohort before when it was as many days from its own last day of application', () => {
    expect(on(years, 2027, today)).toEqual({
      now: { declarations: 21, people: 15 },
      before: { declarations: 18, people: 12 },
      beforeInAll: { declarations: 50, people: 32 },
      change: { declarations: 3 / 18, people: 3 / 12 },
      perPerson: 21 / 15,
    })
  })

  it('goes by distance, not by date: a leap day in between moves the point', () => {
    const leap: YearDays[] = [
      { year: 2028, declarations: days({ '2028-03-16': 1 }), people: days({}) },
      { year: 2029, declarations: days({}), people: days({}) },
    ]
    const before = (day: string) => on(leap, 2029, epochDay(day)).before?.declarations
    expect(before('2029-03-16')).toBe(0)
    expect(before('2029-03-17')).toBe(1)
  })

  it('has nothing to compare with where no declaration is for the year before, or none came by then', () => {
    expect(on(years, 2026, today)).toMatchObject({ before: null, change: { declarations: null, people: null } })
    const early = on(years, 2027, epochDay('2026-01-01'))
    expect(early).toMatchObject({ before: { declarations: 0 }, change: { declarations: null } })
    expect(on([], 2027, today)).toMatchObject({ now: { declarations: 0 }, perPerson: null })
  })
})

describe('the curves', () => {
  const curves = cycleCurves(years, 2027, defaultAdmissionCycle, today)

  it('run from the day one begins to ask about a cohort until its reserves are in', () => {
    expect([curves.days.at(0), curves.days.at(-1), curves.today]).toEqual([-152, 212, -86])
    expect(curves.cohorts.map(({ year }) => year)).toEqual([2027, 2026])
  })

  it('end today for the cohort that is not over, and begin with what came earlier', () => {
    const [now, before] = curves.cohorts
    expect(now?.declarations).toHaveLength(-86 + 152 + 1)
    expect([now?.declarations.at(0), now?.declarations.at(-1)]).toEqual([12, 21])
    expect(before?.declarations).toHaveLength(212 + 152 + 1)
    expect([before?.declarations.at(0), before?.declarations.at(-1)]).toEqual([10, 50])
  })
})
