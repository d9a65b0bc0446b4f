import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arbitraryLeads, arbitraryReach } from '@/lib/interest/testing/arbitrary-leads'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { epochDay, stockholmDay } from '@/lib/time/stockholm'
import { boardCounts } from './board-counts'
import { countedLeads } from './counted-leads'

test('the board has the day of every declaration with a year that is within reach, by school and year', () => {
  fc.assert(
    fc.property(arbitraryLeads, arbitraryReach, ({ declarations, questions }, reach) => {
      const tables = {
        declarations: leadTableOf('declaration-of-interest', declarations),
        questions: leadTableOf('asked-question', questions),
      }
      const found = [...boardCounts(countedLeads(tables, reach))].flatMap(([school, years]) =>
        [...years].map(([year, days]) => [`${school} ${year}`, days]),
      )
      const counted = declarations.filter(
        ({ highSchoolId, user }) =>
          user.highSchoolEnrollmentYear !== null && (reach === 'all' || reach.has(highSchoolId)),
      )
      const expected = Map.groupBy(
        counted,
        ({ highSchoolId, user }) => `${highSchoolId} ${user.highSchoolEnrollmentYear}`,
      )
      const dayOf = ({ createdAt }: (typeof counted)[number]) => epochDay(stockholmDay(Date.parse(createdAt)))
      expect(Object.fromEntries(found)).toEqual(
        Object.fromEntries([...expected].map(([key, leads]) => [key, leads.map(dayOf).toSorted((a, b) => a - b)])),
      )
    }),
  )
})
