import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Lead } from '@/lib/contract/lead'
import { arbitraryLeads, arbitraryReach } from '@/lib/interest/testing/arbitrary-leads'
import { NO_YEAR } from '@/lib/leads/lead-table'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { epochDay, stockholmDay } from '@/lib/time/stockholm'
import { mondayOf } from '@/lib/time/weeks'
import { interestTable } from './interest-table'

it('has what one counts from the lists themselves, whatever the scope', () => {
  fc.assert(
    fc.property(arbitraryLeads, arbitraryReach, ({ declarations, questions }, scope) => {
      const tables = {
        declarations: leadTableOf('declaration-of-interest', declarations),
        questions: leadTableOf('asked-question', questions),
      }
      const table = interestTable(tables, tables, scope, false)
      const isWithin = (lead: Lead) => scope === 'all' || scope.has(lead.highSchoolId)
      const declared = declarations.filter(isWithin)
      const all = [...declared, ...questions.filter(isWithin)]
      const people = new Map(naivePeople(all).map((person, index) => [all[index], person]))
      const cells = Map.groupBy(
        declared,
        ({ highSchoolId, user }) => `${highSchoolId} ${user.highSchoolEnrollmentYear ?? NO_YEAR}`,
      )
      const expected = [...cells].map(([cell, leads]) => {
        const days = leads.map(dayOf).toSorted((a, b) => a - b)
        return [cell, { days, people: new Set(leads.map((lead) => people.get(lead))).size }]
      })
      const found = [...table.bySchool].flatMap(([school, numbers]) =>
        [...numbers.days].map(([year, days]) => [`${school} ${year}`, { days, people: numbers.people.get(year) }]),
      )
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected))
      const inWeek = (leads: readonly Lead[], monday: number) =>
        leads.filter((lead) => isWithin(lead) && mondayOf(dayOf(lead)) === monday).length
      for (const monday of new Set(all.map((lead) => mondayOf(dayOf(lead)))))
        expect(table.all.weeks.get(monday)).toEqual({
          declarations: inWeek(declarations, monday),
          questions: inWeek(questions, monday),
        })
      expect([...table.all.days.values()].flat().toSorted()).toEqual(declared.map(dayOf).toSorted())
    }),
    { numRuns: 300 },
  )
})

const dayOf = ({ createdAt }: Lead) => epochDay(stockholmDay(Date.parse(createdAt)))

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
