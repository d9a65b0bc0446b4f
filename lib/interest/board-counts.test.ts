import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arbitraryLeads, arbitraryReach } from '@/lib/interest/testing/arbitrary-leads'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { declaration } from '@/lib/leads/testing/leads'
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
        [...years].map(([year, { days }]) => [`${school} ${year}`, days]),
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

test('of those who declared to several schools of one year, it knows which came first; within reach alone', () => {
  const declared = [
    ['norra', 'ada', 1],
    ['norra', 'ada', 2],
    ['södra', 'ada', 3],
    ['södra', 'bo', 4],
    ['norra', 'bo', 5],
    ['östra', 'cia', 6],
    ['norra', 'cia', 7],
    ['norra', 'dan', 8],
  ] as const
  const all = declared.map(([school, who, day]) =>
    declaration(`${who}${day}`, { school, email: `${who}@example.org`, createdAt: `2026-11-0${day}T09:00:00.000Z` }),
  )
  const other = declaration('d2', { school: 'östra', email: 'dan@example.org', highSchoolEnrollmentYear: 2028 })
  const tables = {
    declarations: leadTableOf('declaration-of-interest', [...all, other]),
    questions: leadTableOf('asked-question', []),
  }
  const of = (reach: 'all' | ReadonlySet<string>) => {
    const counts = boardCounts(countedLeads(tables, reach))
    return ['norra', 'södra', 'östra'].map((school) => {
      const { several = 0, first = 0 } = counts.get(school)?.get(2027) ?? {}
      return [several, first]
    })
  }
  expect(of('all')).toEqual([
    [3, 1],
    [2, 1],
    [1, 1],
  ])
  expect(of(new Set(['norra', 'södra']))).toEqual([
    [2, 1],
    [2, 1],
    [0, 0],
  ])
})
