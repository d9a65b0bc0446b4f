import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AskedQuestion, DeclarationOfInterest, Lead } from '@/lib/contract/lead'
import { arbitraryChoice, arbitraryLeads, arbitraryReach } from '@/lib/interest/testing/arbitrary-leads'
import { naivePeople } from '@/lib/interest/testing/naive-people'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { epochDay, stockholmDay } from '@/lib/time/stockholm'
import { isoWeek } from '@/lib/time/weeks'
import { countedLeads } from './counted-leads'
import { interestCounts, type InterestSelection } from './interest-counts'

const day = fc.integer({ min: epochDay('2025-09-01'), max: epochDay('2027-04-30') })
const selection = fc.record({
  schools: arbitraryChoice,
  from: fc.oneof(day, fc.constant(-Infinity)),
  to: fc.oneof(day, fc.constant(Infinity)),
})

describe('counts of interest', () => {
  it('are what one counts from the lists themselves, whatever the reach, the schools and the period', () => {
    fc.assert(
      fc.property(arbitraryLeads, arbitraryReach, selection, ({ declarations, questions }, reach, chosen) => {
        const within = (lead: Lead) => reach === 'all' || reach.has(lead.highSchoolId)
        const reachable = [...declarations.filter(within), ...questions.filter(within)]
        const people = new Map(naivePeople(reachable).map((person, index) => [reachable[index], person]))
        const counted = declarations.filter(within).filter((lead) => isSelected(lead, chosen))
        const asked = questions.filter(within).filter((lead) => isSelected(lead, chosen))
        const countsOf = (leads: DeclarationOfInterest[]) => ({
          declarations: leads.length,
          people: new Set(leads.map((lead) => people.get(lead))).size,
        })
        const counts = countsIn(declarations, questions, reach, chosen)
        const cells = Object.entries(
          Object.groupBy(counted, (lead) => `${lead.highSchoolId} ${lead.user.highSchoolEnrollmentYear}`),
        ).map(([key, leads]) => [key, countsOf(leads ?? [])])
        const found = counts.bySchool.flatMap(({ highSchoolId, years }) =>
          years.map(({ year, ...count }) => [`${highSchoolId} ${year}`, count]),
        )
        expect(Object.fromEntries(found)).toEqual(Object.fromEntries(cells))
        expect(counts.total).toMatchObject({ total: countsOf(counted), questions: asked.length })
        for (const { highSchoolId, total, questions: ofSchool } of counts.bySchool) {
          const isOwn = (lead: Lead) => lead.highSchoolId === highSchoolId
          expect({ total, questions: ofSchool }).toEqual({
            total: countsOf(counted.filter(isOwn)),
            questions: asked.filter(isOwn).length,
          })
        }
        const weekOf = (lead: Lead) => isoWeek(epochDay(stockholmDay(Date.parse(lead.createdAt))))
        const weeks = [...new Set([...counted, ...asked].map(weekOf))].toSorted()
        expect(counts.weeks).toEqual(
          weeks.map((week) => ({
            week,
            declarations: counted.filter((lead) => weekOf(lead) === week).length,
            questions: asked.filter((lead) => weekOf(lead) === week).length,
          })),
        )
      }),
      { numRuns: 300 },
    )
  })

  it('have curves that no period narrows, each person on the day of their first declaration', () => {
    fc.assert(
      fc.property(arbitraryLeads, arbitraryReach, selection, ({ declarations, questions }, reach, chosen) => {
        const counts = countsIn(declarations, questions, reach, chosen)
        const unnarrowed = countsIn(declarations, questions, reach, { ...chosen, from: -Infinity, to: Infinity })
        expect(counts.years).toEqual(unnarrowed.years)
        for (const { year, ...byDay } of counts.years) {
          const total = unnarrowed.total.years.find((count) => count.year === year)
          expect(sumOf(byDay.declarations)).toBe(total?.declarations)
          expect(sumOf(byDay.people)).toBe(total?.people)
          expect(Math.min(...byDay.people.keys())).toBe(Math.min(...byDay.declarations.keys()))
        }
      }),
    )
  })
})

function countsIn(
  declarations: DeclarationOfInterest[],
  questions: AskedQuestion[],
  reach: 'all' | ReadonlySet<string>,
  chosen: InterestSelection,
) {
  const tables = {
    declarations: leadTableOf('declaration-of-interest', declarations),
    questions: leadTableOf('asked-question', questions),
  }
  return interestCounts(countedLeads(tables, reach), chosen)
}

function isSelected({ highSchoolId, createdAt }: Lead, { schools, from, to }: InterestSelection): boolean {
  const when = epochDay(stockholmDay(Date.parse(createdAt)))
  return (schools === null || schools.has(highSchoolId)) && when >= from && when <= to
}

function sumOf(byDay: ReadonlyMap<number, number>): number {
  return [...byDay.values()].reduce((sum, count) => sum + count, 0)
}
