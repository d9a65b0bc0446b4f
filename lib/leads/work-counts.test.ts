import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LeadFilter } from '@/lib/contract/list-query'
import { LEAD_STATUSES } from '@/lib/contract/lists'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { declaration } from '@/lib/leads/testing/leads'
import { countWorkChoices } from './count-choices'
import { workFlags } from './count-work'
import { countSchools } from './school-counts'
import { selectRows } from './select-rows'
import { triageColumns, type TriageEntry } from './triage-columns'
import { workRules } from './work-rules'

const NOW = Date.parse('2026-11-20T09:00:00Z')
const DAY_MS = 86_400_000
const schools = ['norra', 'sodra', 'vastra']

const entry = fc.record({
  status: fc.constantFrom(...LEAD_STATUSES),
  assigneeId: fc.constantFrom(null, 'sara'),
  updatedAt: fc.constant(NOW - DAY_MS),
  snoozeUntil: fc.constantFrom(null, '2026-11-19', '2026-11-20', '2026-11-23'),
  answeredAt: fc.constantFrom(null, NOW - DAY_MS),
})
const oneLead = fc.record({
  school: fc.constantFrom(...schools),
  daysAgo: fc.integer({ min: 0, max: 12 }),
  year: fc.constantFrom(null, 2025, 2026, 2027),
  entry: fc.option(entry),
})
const rules = fc
  .record({
    from: fc.constantFrom(null, '2026-11-12', '2026-11-20'),
    openYear: fc.constantFrom(null, 2027),
    goal: fc.constantFrom(null, 2),
  })
  .map(({ from, openYear, goal }) => {
    const goals = { 'asked-question': goal, 'declaration-of-interest': goal }
    return workRules('declaration-of-interest', NOW, { from, openYear, goals, isHoliday: () => false })
  })
const filter = fc.record(
  {
    status: fc.subarray([...LEAD_STATUSES], { minLength: 1 }),
    school: fc.subarray(['norra', 'sodra', 'unknown'], { minLength: 1 }),
    waiting: fc.boolean(),
    late: fc.boolean(),
    snoozed: fc.boolean(),
    earlier: fc.boolean(),
  },
  { requiredKeys: [] },
)

test('the numbers of the menu, and those above a list, are of the rows that the list has when it is asked for them', () => {
  fc.assert(
    fc.property(fc.array(oneLead, { maxLength: 40 }), rules, filter, (leads, work, chosen: LeadFilter) => {
      const made = leads.map(({ school, daysAgo, year }, index) =>
        declaration(`d${index}`, {
          school,
          createdAt: new Date(NOW - daysAgo * DAY_MS - index).toISOString(),
          highSchoolEnrollmentYear: year,
        }),
      )
      const table = leadTableOf('declaration-of-interest', made)
      const triage = new Map<string, TriageEntry>(
        leads.flatMap((lead, index) => (lead.entry ? [[`d${index}`, lead.entry] as const] : [])),
      )
      const context = { schools: 'all', viewerId: 'sara', lastVisitAt: null, triage, work } as const
      const size = (query: LeadFilter) => selectRows(table, query, context).length
      const some = (counts: [string, number][]) => Object.fromEntries(counts.filter(([, count]) => count > 0))

      const columns = triageColumns(table, triage, (one) => workFlags(one, work))
      const counted = countSchools(table, columns, work)
      const menu = counted.schoolIds.map((id, index): [string, number] => [id, counted.unhandled[index] ?? 0])
      expect(some(menu)).toEqual(some(schools.map((id) => [id, size({ school: [id], waiting: true })])))

      const { waiting: _, late: __, ...rest } = chosen
      const { waiting, late, hidden } = countWorkChoices(table, chosen, context, columns)
      const total = Object.values(waiting).reduce((sum, count) => sum + count, 0)
      expect([total, late]).toEqual([size({ ...rest, waiting: true }), size({ ...rest, late: true })])
      const without = (name: 'earlier' | 'snoozed') => {
        const { [name]: left, ...others } = chosen
        // Where it is not left out, nothing is hidden by it.
        return left === false ? size(others) : size(chosen)
      }
      expect(size(chosen) + hidden.earlier).toBe(without('earlier'))
      expect(size(chosen) + hidden.snoozed).toBe(without('snoozed'))
    }),
  )
})

test('another rule is counted anew', () => {
  const table = leadTableOf('declaration-of-interest', [declaration('d1', { createdAt: '2026-11-12T09:00:00Z' })])
  const goals = { 'asked-question': 2, 'declaration-of-interest': null }
  const rulesFrom = (from: string | null) =>
    workRules('declaration-of-interest', NOW, { from, openYear: null, goals, isHoliday: () => false })
  const columns = triageColumns(table, new Map(), (one) => workFlags(one, rulesFrom(null)))
  expect([...countSchools(table, columns, rulesFrom(null)).unhandled]).toEqual([1])
  expect([...countSchools(table, columns, rulesFrom('2026-11-13')).unhandled]).toEqual([0])
})
