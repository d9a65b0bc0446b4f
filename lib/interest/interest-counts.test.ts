import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AskedQuestion, DeclarationOfInterest, Lead } from '@/lib/contract/lead'
import { arbitraryChoice, arbitraryLeads, arbitraryReach } from '@/lib/interest/testing/arbitrary-leads'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { epochDay, stockholmDay } from '@/lib/time/stockholm'
import { isoWeek } from '@/lib/time/weeks'
import { countedLeads, type InterestSelection } from './counted-leads'
import { countWeeks, curveOf, interestCounts } from './interest-counts'

const day = fc.integer({ min: epochDay('2025-09-01'), max: epochDay('2027-04-30') })
const selection = fc.record({
  schools: arbitraryChoice,
  from: fc.oneof(day, fc.constant(-Infinity)),
  to: fc.oneof(day, fc.constant(Infinity)),
})

type Leads = { declarations: DeclarationOfInterest[]; questions: AskedQuestion[] }
type Reach = 'all' | ReadonlySet<string>

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
        const counts = countsIn({ declarations, questions }, reach, chosen)
        const cells = Object.entries(
          Object.groupBy(counted, (lead) => `${lead.highSchoolId} ${lead.user.highSchoolEnrollmentYear}`),
        ).map(([key, leads]) => [key, countsOf(leads ?? [])])
        const found = counts.bySchool.flatMap(({ highSchoolId, years }) =>
          years.map(({ year, ...count }) => [`${highSchoolId} ${year}`, count]),
        )
        expect(Object.fromEntries(found)).toEqual(Object.fromEntries(cells))
        const weekOf = (lead: Lead) => isoWeek(epochDay(stockholmDay(Date.parse(lead.createdAt))))
        const weeks = [...new Set([...counted, ...asked].map(weekOf))].toSorted()
        expect(countWeeks(countedIn({ declarations, questions }, reach), chosen)).toEqual(
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

  it('have curves that no period narrows', () => {
    fc.assert(
      fc.property(arbitraryLeads, arbitraryReach, selection, (leads, reach, chosen) => {
        const counts = countsIn(leads, reach, chosen)
        const unnarrowed = countsIn(leads, reach, { ...chosen, from: -Infinity, to: Infinity })
        expect(counts.years).toEqual(unnarrowed.years)
        for (const { year, days } of counts.years) {
          const ofYear = unnarrowed.bySchool.flatMap(({ years }) => years.filter((count) => count.year === year))
          const sum = ofYear.reduce((all, { declarations }) => all + declarations, 0)
          expect([...days.values()].reduce((all, count) => all + count, 0)).toBe(sum)
          const points = curveOf(days, 0)
          expect([points.at(-1)?.[1], points.map(([at]) => at)]).toEqual([
            sum,
            [...days.keys()].toSorted((a, b) => a - b),
          ])
        }
      }),
    )
  })
})

function countedIn({ declarations, questions }: Leads, reach: Reach) {
  const tables = {
    declarations: leadTableOf('declaration-of-interest', declarations),
    questions: leadTableOf('asked-question', questions),
  }
  return countedLeads(tables, reach)
}

function countsIn(leads: Leads, reach: Reach, chosen: InterestSelection) {
  return interestCounts(countedIn(leads, reach), chosen)
}

function isSelected({ highSchoolId, createdAt }: Lead, { schools, from, to }: InterestSelection): boolean {
  const when = epochDay(stockholmDay(Date.parse(createdAt)))
  return (schools === null || schools.has(highSchoolId)) && when >= from && when <= to
}

/** The people who sent the leads, the slow way: the least number is passed on until nothing changes. */
function naivePeople(leads: readonly Lead[]): number[] {
  const people = leads.map((_, index) => index)
  for (let changed = true; changed;) {
    changed = false
    for (const [a, first] of leads.entries()) {
      for (const [b, second] of leads.entries()) {
        const least = Math.min(people[a] ?? 0, people[b] ?? 0)
        if (!isShared(first, second) || (people[a] === least && people[b] === least)) continue
        people[a] = least
        people[b] = least
        changed = true
      }
    }
  }
  return people
}

function isShared(a: Lead, b: Lead): boolean {
  const contactOf = (lead: Lead) => ('user' in lead ? lead.user : lead.sender)
  const [one, other] = [contactOf(a), contactOf(b)]
  return (one.email !== null && one.email === other.email) || (one.phone !== null && one.phone === other.phone)
}
