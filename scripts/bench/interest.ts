import { defaultAdmissionCycle } from '@/lib/contract/settings'
import { boardOf } from '@/lib/interest/board'
import type { InterestSelection } from '@/lib/interest/counted-leads'
import { roundedSpelling } from '@/lib/interest/rounding'
import { exact, type Spelling } from '@/lib/interest/seasons'
import { countWork, workFlags } from '@/lib/leads/count-work'
import type { LeadTable } from '@/lib/leads/lead-table'
import { type TriageEntry, triageColumns } from '@/lib/leads/triage-columns'
import { workRules } from '@/lib/leads/work-rules'
import { epochDay } from '@/lib/time/stockholm'
import { createInterestCache, type InterestCache, type InterestQuestion } from '@/server/interest/interest-cache'
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
    isWithoutHidden: false,
    reach: 'all',
    selection: EVERYTHING,
    triage: { declarations: handleEveryThird(declarations), questions: handleEveryThird(questions), changes: 1 },
    answers: { windows: { now: YEAR, before: YEAR_BEFORE, weeks: YEAR }, goals, today: epochDay('2026-11-20') },
  }
  const some = new Set(data.highSchools.slice(0, 20).map(({ id }) => id))
  const cached = createInterestCache()
  cached(everyone)
  const schools = data.highSchools.map(({ id, name }) => ({ id, name }))
  const page = (cache: InterestCache, spell: Spelling) => pageOf(cache(everyone), everyone, schools, spell)
  return [
    measured('the page of a new snapshot, all schools', () => page(createInterestCache(), exact)),
    measured('the page of a new snapshot, of a manager', () => page(createInterestCache(), roundedSpelling)),
    measured('the page of the same snapshot', () => page(cached, roundedSpelling)),
    measured('a new snapshot, all schools', () => numbersOf(createInterestCache()(everyone))),
    measured('a new snapshot, a scope of 20 schools', () =>
      numbersOf(createInterestCache()({ ...everyone, reach: some })),
    ),
    measured('the same snapshot, other schools and a period', (at) =>
      numbersOf(cached({ ...everyone, selection: { schools: some, from: epochDay('2026-01-01') + at, to: Infinity } })),
    ),
    measured('the same question again', () => numbersOf(cached(everyone))),
  ]
}

/** What the endpoint asks for. */
function numbersOf({ counts, handled }: ReturnType<InterestCache>) {
  return [counts(), handled()]
}

/** As `server/interest/interest.ts` makes it of what is counted. */
function pageOf(
  { boardCounts, answers, asked }: ReturnType<InterestCache>,
  { questions, triage, answers: { goals } }: InterestQuestion,
  schools: { id: string; name: string }[],
  spell: Spelling,
) {
  const columns = triageColumns(questions, triage.questions, (entry) => workFlags(entry, goals.questions))
  const { waitingAt, lateAt } = countWork(questions, asked, columns, goals.questions)
  const waiting = questions.schoolIds.map(
    (id, at) => [id, { waiting: waitingAt[at] ?? 0, late: lateAt[at] ?? 0 }] as const,
  )
  return boardOf({
    counts: boardCounts(),
    schools,
    cohort: 2027,
    cycle: defaultAdmissionCycle,
    today: epochDay('2026-11-20'),
    waiting: new Map(waiting),
    answers: { all: answers, bySchool: new Map(answers.bySchool.map((one) => [one.highSchoolId, one])) },
    spell,
  })
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
