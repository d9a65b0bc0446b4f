import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LeadFilter } from '@/lib/contract/list-query'
import { LEAD_STATUSES } from '@/lib/contract/lists'
import { DAY_MS } from '@/lib/time/durations'
import { countChoices } from './count-choices'
import { selectRows } from './select-rows'
import { anyFilter, anyScope, anySettings, anyWork, NOW, SCHOOLS, VIEWER_ID, YEARS } from './testing/arbitrary-work'
import { leadTableOf } from './testing/lead-table-of'
import { question, unrestrictedContext } from './testing/leads'
import { buildTriageColumns } from './triage-columns'
import { createWorkRules } from './work-rules'

test('each number is what the list would have, were that choice made', () => {
  fc.assert(
    fc.property(anyWork, anyFilter, anySettings, anyScope, ({ table, triage }, filter, settings, schools) => {
      const work = createWorkRules('declaration-of-interest', NOW, settings)
      const context = {
        ...unrestrictedContext,
        viewerId: VIEWER_ID,
        schools,
        lastVisitAt: NOW - 5 * DAY_MS,
        triage,
        work,
      }
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
        school: expected('school', SCHOOLS),
        status: expected('status', LEAD_STATUSES),
        assignee: expected('assignee', ['none', VIEWER_ID, 'nils']),
        mode: {},
        year: expected('year', YEARS),
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
