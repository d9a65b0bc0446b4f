import { workFlags } from './count-work'
import { allIsWork } from '@/lib/leads/work-rules'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LeadFilter } from '@/lib/contract/list-query'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { question } from '@/lib/leads/testing/leads'
import { countChoices } from './count-choices'
import { selectRows } from './select-rows'
import { triageColumns, type TriageEntry } from './triage-columns'

const schools = ['norra', 'sodra', 'vastra']
const years = [2026, 2027, 2028]
const statuses = ['new', 'in-progress', 'handled', 'dismissed'] as const
const people = ['none', 'sara', 'nils']
const [AT, LAST_VISIT] = [1_763_000_000_000, 1_763_000_000_000 - 50_000]

const oneLead = fc.record({
  school: fc.constantFrom(...schools),
  year: fc.option(fc.constantFrom(...years)),
  triage: fc.option(
    fc.record({ status: fc.constantFrom(...statuses), assignee: fc.constantFrom(null, 'sara', 'nils') }),
  ),
  firstName: fc.constantFrom('Åsa', 'Erik'),
})
const some = <T>(values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 })
const anyFilter = fc.record(
  {
    school: some([...schools, 'unknown']),
    year: some(years),
    status: some(statuses),
    assignee: some(['none', 'me', 'nils']),
    q: fc.constantFrom('asa', 'erik'),
    fresh: fc.boolean(),
  },
  { requiredKeys: [] },
)
const reach = fc.constantFrom('all' as const, new Set(['norra', 'vastra']), new Set<string>())

const flagsOf = (entry: TriageEntry | undefined) => workFlags(entry, allIsWork)

test('each number is what the list would have, were that choice made', () => {
  fc.assert(
    fc.property(fc.array(oneLead, { maxLength: 60 }), anyFilter, reach, (leads, filter: LeadFilter, mine) => {
      const table = leadTableOf('declaration-of-interest', leads.map(toLead))
      const triage = new Map(leads.flatMap(({ triage: its }, index) => (its ? [entryOf(index, its)] : [])))
      const context = { schools: mine, viewerId: 'sara', lastVisitAt: LAST_VISIT, work: allIsWork, triage }
      const counts = countChoices(table, filter, context, triageColumns(table, triage, flagsOf))
      const size = (other: LeadFilter) => selectRows(table, other, context).length
      const expected = <K extends string | number>(choices: readonly K[], only: (choice: K) => LeadFilter) =>
        Object.fromEntries(
          choices
            .map((choice) => [String(choice), size({ ...filter, ...only(choice) })] as const)
            .filter(([, count]) => count > 0),
        )
      expect(counts).toEqual({
        total: size(filter),
        school: expected(schools, (school) => ({ school: [school] })),
        status: expected(statuses, (status) => ({ status: [status] })),
        assignee: expected(people, (assignee) => ({ assignee: [assignee] })),
        mode: {},
        year: expected(years, (year) => ({ year: [year] })),
      })
    }),
  )
})

test('questions are counted by the way their sender wants to be answered', () => {
  const table = leadTableOf('asked-question', [question('1'), question('2', { mode: 'phone' }), question('3')])
  const context = { schools: 'all', viewerId: 'sara', lastVisitAt: null, work: allIsWork, triage: new Map() } as const
  const { mode, total, year } = countChoices(
    table,
    { mode: ['phone'] },
    context,
    triageColumns(table, new Map(), flagsOf),
  )
  expect({ mode, total, year }).toEqual({ mode: { email: 2, phone: 1 }, total: 1, year: {} })
})

function toLead(
  { school, year, firstName }: { school: string; year: number | null; firstName: string },
  index: number,
) {
  const user = { firstName, lastName: null, email: null, phone: null, highSchoolEnrollmentYear: year }
  return { id: `d${index}`, highSchoolId: school, createdAt: new Date(AT - index * 2_000).toISOString(), user }
}

function entryOf(index: number, { status, assignee }: { status: TriageEntry['status']; assignee: string | null }) {
  return [`d${index}`, { status, assigneeId: assignee, updatedAt: AT }] as const
}
