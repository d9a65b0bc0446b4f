import type { InterestSelection } from '@/lib/interest/counted-leads'
import type { LeadTable } from '@/lib/leads/lead-table'
import type { TriageEntry } from '@/lib/leads/triage-columns'
import { workRules } from '@/lib/leads/work-rules'
import { epochDay } from '@/lib/time/stockholm'
import { createInterestCache, type InterestQuestion } from '@/server/interest/interest-cache'
import { invented, START, tableOf } from './invented-lists'
import { processorTimes } from './measure'

type Row = { count: string; 'median ms': number; 'p95 ms': number; 'target ms': number }

const RUNS = 40
const TARGET_MS = 50
const YEAR = { from: epochDay('2025-11-21'), to: epochDay('2026-11-20') }
const YEAR_BEFORE = { from: epochDay('2024-11-21'), to: epochDay('2025-11-20') }
const EVERYTHING: InterestSelection = { schools: null, from: -Infinity, to: Infinity }

export async function run(): Promise<Row[]> {
  const data = invented()
  const declarations = await tableOf('declaration-of-interest', data.declarationsOfInterest)
  const questions = await tableOf('asked-question', data.askedQuestions)
  const rules = (days: number) =>
    workRules('asked-question', START, {
      from: null,
      openYear: null,
      goals: { 'asked-question': days, 'declaration-of-interest': null },
      isHoliday: () => false,
    })
  const goals = { declarations: rules(2), questions: rules(2) }
  const everyone: InterestQuestion = {
    declarations,
    questions,
    shown: { declarations, questions },
    reach: 'all',
    selection: EVERYTHING,
    triage: { declarations: handleEveryThird(declarations), questions: handleEveryThird(questions), changes: 1 },
    answers: { windows: { now: YEAR, before: YEAR_BEFORE, weeks: YEAR }, goals, today: epochDay('2026-11-20') },
  }
  const some = new Set(data.highSchools.slice(0, 20).map(({ id }) => id))
  const cached = createInterestCache()
  cached(everyone)
  return [
    measured('a new snapshot, all schools', () => createInterestCache()(everyone)),
    measured('a new snapshot, a scope of 20 schools', () => createInterestCache()({ ...everyone, reach: some })),
    measured('the same snapshot, other schools and a period', (at) =>
      cached({ ...everyone, selection: { schools: some, from: epochDay('2026-01-01') + at, to: Infinity } }),
    ),
    measured('the same question again', () => cached(everyone)),
  ]
}

function handleEveryThird(table: LeadTable): ReadonlyMap<string, TriageEntry> {
  return new Map(
    table.id.flatMap((id, row) => {
      const updatedAt = (table.createdAt[row] ?? 0) + (row % 100) * 3_600_000
      return row % 3 === 0 ? [[id, { status: 'handled', assigneeId: null, updatedAt }]] : []
    }),
  )
}

function measured(count: string, work: (at: number) => unknown): Row {
  return { count, ...processorTimes(RUNS, work), 'target ms': TARGET_MS }
}
