import fc from 'fast-check'
import type { LeadFilter } from '@/lib/contract/list-query'
import { LEAD_STATUSES } from '@/lib/contract/lists'
import type { TriageEntry } from '@/lib/leads/triage-entry'
import { DAY_MS } from '@/lib/time/durations'
import { leadTableOf } from './lead-table-of'
import { declaration } from './leads'

/** It is 10:00 in Stockholm, on a Friday. */
export const NOW = Date.parse('2026-11-20T09:00:00Z')
export const VIEWER_ID = 'vera'
export const SCHOOLS = ['norra', 'sodra', 'vastra']
export const YEARS = [2025, 2026, 2027]

const anyEntry = fc.record({
  status: fc.constantFrom(...LEAD_STATUSES),
  assigneeId: fc.constantFrom(null, VIEWER_ID, 'nils'),
  updatedAt: fc.constant(NOW - DAY_MS),
  snoozeUntil: fc.constantFrom(null, '2026-11-19', '2026-11-20', '2026-11-23'),
  answeredAt: fc.constantFrom(null, NOW - DAY_MS),
})
const anyFields = fc.record({
  school: fc.constantFrom(...SCHOOLS),
  createdAt: fc.integer({ min: 0, max: 12 }).map((days) => new Date(NOW - days * DAY_MS).toISOString()),
  firstName: fc.constantFrom('Åsa', 'Erik'),
  highSchoolEnrollmentYear: fc.option(fc.constantFrom(...YEARS)),
})

/** Draws up to sixty declarations, and what staff did about some. */
export const anyWork = fc.array(fc.tuple(anyFields, fc.option(anyEntry)), { maxLength: 60 }).map((drawn) => {
  const leads = drawn.map(([fields], index) => declaration(`d${index}`, fields))
  const triage = new Map<string, TriageEntry>(
    drawn.flatMap(([, entry], index) => (entry ? [[`d${index}`, entry]] : [])),
  )
  return { leads, triage, table: leadTableOf('declaration-of-interest', leads) }
})

export const anySettings = fc.record({
  firstDay: fc.constantFrom(null, '2026-11-12', '2026-11-20'),
  openYear: fc.constantFrom(null, 2027),
  goals: fc.constantFrom(null, 2).map((goal) => ({ 'asked-question': goal, 'declaration-of-interest': goal })),
})

export const anyScope = fc.constantFrom('all' as const, new Set(['norra', 'vastra']), new Set<string>())

export type DeclarationFilter = Omit<LeadFilter, 'mode' | 'topic'>

const some = <T>(values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 })
const day = fc.constantFrom('2026-11-10', '2026-11-18', '2026-11-20')
const fields = {
  id: some(['d0', 'd1', 'd7', 'unknown']),
  school: some([...SCHOOLS, 'unknown']),
  year: some(YEARS),
  status: some(LEAD_STATUSES),
  assignee: some(['none', 'me', 'nils', VIEWER_ID]),
  q: fc.constantFrom('asa', 'erik'),
  from: day,
  to: day,
  fresh: fc.boolean(),
  answered: fc.boolean(),
  waiting: fc.boolean(),
  late: fc.boolean(),
  snoozed: fc.boolean(),
  followUp: fc.boolean(),
  earlier: fc.boolean(),
} satisfies { [Name in keyof Required<DeclarationFilter>]: fc.Arbitrary<DeclarationFilter[Name]> }

/** Sets at most three fields, so that lists keep some rows. */
export const anyFilter = fc
  .tuple(fc.record(fields), fc.subarray(Object.keys(fields) as (keyof typeof fields)[], { maxLength: 3 }))
  .map(([all, names]): DeclarationFilter => Object.fromEntries(names.map((name) => [name, all[name]])))
