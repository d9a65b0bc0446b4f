import fc from 'fast-check'
import { expect, it } from 'vitest'
import { reachable } from '@/lib/contacts/testing/reachable'
import type { Lead } from '@/lib/contract/lead'
import { arbitraryLeads, arbitraryReach } from '@/lib/interest/testing/arbitrary-leads'
import { NO_YEAR } from '@/lib/leads/lead-table'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { parseIsoDay, toStockholmDay } from '@/lib/time/stockholm'
import { findMonday } from '@/lib/time/weeks'
import { buildInterestTable } from './interest-table'

it('has what one counts from the lists themselves, whatever the scope', () => {
  fc.assert(
    fc.property(arbitraryLeads, arbitraryReach, ({ declarations, questions }, scope) => {
      const tables = {
        declarations: leadTableOf('declaration-of-interest', declarations),
        questions: leadTableOf('asked-question', questions),
      }
      const table = buildInterestTable({ tables, visibleTables: tables, scope, excludesHidden: false })
      const isWithin = (lead: Lead) => scope === 'all' || scope.has(lead.highSchoolId)
      const declared = declarations.filter(isWithin)
      const all = [...declared, ...questions.filter(isWithin)]
      const traces = all.map(traceOf)
      const people = new Map(all.map((lead, at) => [lead, Math.min(...reachable(traces, [at]))]))
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
        leads.filter((lead) => isWithin(lead) && findMonday(dayOf(lead)) === monday).length
      for (const monday of new Set(all.map((lead) => findMonday(dayOf(lead)))))
        expect(table.all.weeks.get(monday)).toEqual({
          declarations: inWeek(declarations, monday),
          questions: inWeek(questions, monday),
        })
      expect([...table.all.days.values()].flat().toSorted()).toEqual(declared.map(dayOf).toSorted())
    }),
    { numRuns: 300 },
  )
})

const dayOf = ({ createdAt }: Lead) => parseIsoDay(toStockholmDay(Date.parse(createdAt)))
const traceOf = (lead: Lead) => ('user' in lead ? lead.user : lead.sender)
