import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LeadFilter } from '@/lib/contract/list-query'
import { LEAD_STATUSES } from '@/lib/contract/lists'
import { DAY_MS } from '@/lib/time/durations'
import { countChoices } from './count-choices'
import { selectRows } from './select-rows'
import { leadTableOf } from './testing/lead-table-of'
import { declaration, question, unrestrictedContext } from './testing/leads'
import { buildTriageColumns } from './triage-columns'
import type { TriageEntry } from './triage-entry'
import { createWorkRules } from './work-rules'

const NOW = Date.parse('2026-11-20T09:00:00Z')
const kind = 'declaration-of-interest'
const schools = ['norra', 'sodra', 'vastra']
const years = [2025, 2026, 2027]

const anyEntry = fc.record({
  status: fc.constantFrom(...LEAD_STATUSES),
  assigneeId: fc.constantFrom(null, 'me', 'nils'),
  updatedAt: fc.constant(NOW - DAY_MS),
  snoozeUntil: fc.constantFrom(null, '2026-11-19', '2026-11-20', '2026-11-23'),
  answeredAt: fc.constantFrom(null, NOW - DAY_MS),
})
const anyFields = fc.record({
  school: fc.constantFrom(...schools),
  createdAt: fc.integer({ min: 0, max: 12 }).map((days) => new Date(NOW - days * DAY_MS).toISOString()),
  firstName: fc.constantFrom('Åsa', 'Erik'),
  highSchoolEnrollmentYear: fc.option(fc.constantFrom(...years)),
})
const anyLeads = fc.array(fc.tuple(anyFields, fc.option(anyEntry)), { maxLength: 60 }).map((leads) => {
  const declarations = leads.map(([fields], index) => declaration(`d${index}`, fields))
  const triage = new Map<string, TriageEntry>(
    leads.flatMap(([, entry], index) => (entry ? [[`d${index}`, entry]] : [])),
  )
  return { table: leadTableOf(kind, declarations), triage }
})
const some = <T>(values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 })
const chosen = {
  school: some([...schools, 'unknown']),
  year: some(years),
  status: some(LEAD_STATUSES),
  assignee: some(['none', 'me', 'nils']),
  q: fc.constantFrom('asa', 'erik'),
  fresh: fc.boolean(),
  waiting: fc.boolean(),
  late: fc.boolean(),
  snoozed: fc.boolean(),
  earlier: fc.boolean(),
}
/** At most three at once, so that lists keep some rows. */
const anyFilter = fc
  .tuple(fc.record(chosen), fc.subarray(Object.keys(chosen) as (keyof typeof chosen)[], { maxLength: 3 }))
  .map(([all, names]): LeadFilter => Object.fromEntries(names.map((name) => [name, all[name]])))
const anySettings = fc.record({
  firstDay: fc.constantFrom(null, '2026-11-12', '2026-11-20'),
  openYear: fc.constantFrom(null, 2027),
  goals: fc.constantFrom(null, 2).map((goal) => ({ 'asked-question': goal, 'declaration-of-interest': goal })),
})

test('each number is what the list would have, were that choice made', () => {
  const scopes = fc.constantFrom('all' as const, new Set(['norra', 'vastra']), new Set<string>())
  fc.assert(
    fc.property(anyLeads, anyFilter, anySettings, scopes, ({ table, triage }, filter, rules, mine) => {
      const work = createWorkRules(kind, NOW, rules)
      const context = { ...unrestrictedContext, schools: mine, lastVisitAt: NOW - 5 * DAY_MS, triage, work }
      const columns = buildTriageColumns(table, triage, work)
      const size = (other: LeadFilter) => selectRows(table, other, context).length
      const expected = (name: keyof LeadFilter, choices: readonly (string | number)[]) => {
        const sizes = choices.map((choice) => [choice, size({ ...filter, [name]: [choice] })] as const)
        return Object.fromEntries(sizes.filter(([, count]) => count > 0))
      }
      const { waiting, late, hidden, topic, ...choices } = countChoices(table, filter, context, columns)
      expect(topic).toEqual({})
      expect(choices).toEqual({
        total: size(filter),
        school: expected('school', schools),
        status: expected('status', LEAD_STATUSES),
        assignee: expected('assignee', ['none', 'me', 'nils']),
        mode: {},
        year: expected('year', years),
      })
      const { waiting: _, late: __, ...rest } = filter
      const total = Object.values(waiting).reduce((sum, count) => sum + count, 0)
      expect([total, late]).toEqual([size({ ...rest, waiting: true }), size({ ...rest, late: true })])
      for (const name of ['earlier', 'snoozed'] as const) {
        const { [name]: left, ...others } = filter
        // Where it is not left out, nothing is hidden by it.
        expect(size(filter) + hidden[name]).toBe(left === false ? size(others) : size(filter))
      }
    }),
    { numRuns: 300 },
  )
})

test('questions are counted by the way their sender wants to be answered', () => {
  const table = leadTableOf('asked-question', [question('1'), question('2', { mode: 'phone' }), question('3')])
  const columns = buildTriageColumns(table, new Map(), unrestrictedContext.work)
  const counts = countChoices(table, { mode: ['phone'] }, unrestrictedContext, columns)
  expect(counts).toMatchObject({ mode: { email: 2, phone: 1 }, total: 1, year: {} })
})
