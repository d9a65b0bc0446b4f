import 'server-only'
import type { Answers } from '@/lib/contract/interest'
import {
  type AnswersQuery,
  answerFigures,
  type AnswerTimes,
  firstAnswers,
  timeToAnswer,
  withAnswers,
} from '@/lib/interest/answers'
import { type BoardCounts, boardCounts } from '@/lib/interest/board-counts'
import {
  type CountedLeads,
  countedLeads,
  type InterestSelection,
  type TablesOfBoth,
} from '@/lib/interest/counted-leads'
import { countWeeks, type InterestCounts, interestCounts, type WeekCount } from '@/lib/interest/interest-counts'
import type { LeadTable } from '@/lib/leads/lead-table'
import type { TriageOf } from '@/lib/leads/triage-columns'
import type { WorkRules } from '@/lib/leads/work-rules'
import { type Basis, createTableCache } from '@/server/leads/table-cache'

export type InterestQuestion = TablesOfBoth & {
  /** The tables as the reader sees them, to recognise the same person. */
  shown: TablesOfBoth
  /** Whether who is hidden in them is left out. */
  isWithoutHidden: boolean
  reach: 'all' | ReadonlySet<string>
  selection: InterestSelection
  triage: { declarations: TriageOf; questions: TriageOf; changes: number }
  answers: Pick<AnswersQuery, 'windows' | 'today'> & { goals: Record<'declarations' | 'questions', WorkRules> }
}

export type InterestCache = (question: InterestQuestion) => {
  weeks: WeekCount[]
  answers: Answers
  /** Rows of questions within reach. */
  asked: Uint32Array
  /** Counted when asked for: two for the endpoint, and one for the page. */
  counts: () => InterestCounts
  handled: () => AnswerTimes
  boardCounts: () => BoardCounts
}

const MAX_REACHES = 16
const MAX_SELECTIONS = 64

/** Exact counts by snapshot, reach, hidden persons, schools and period; answers also by triage, goals and day. */
export function createInterestCache(): InterestCache {
  let cache: ReturnType<typeof ofSnapshot> | null = null
  return ({ declarations, questions, shown, isWithoutHidden, reach, selection, triage, answers }) => {
    // Nothing of the last snapshot stays, which may be large.
    if (cache?.declarations !== declarations || cache.questions !== questions)
      cache = ofSnapshot(declarations, questions)
    const { leads, firsts, weeks, counts, boards, answered, times } = cache
    const basis: Basis = { table: shown.declarations, otherList: shown.questions, triage: 0 }
    const reachKey = JSON.stringify([isWithoutHidden, reach === 'all' ? reach : [...reach].toSorted()])
    const key = `${reachKey} ${selectionKey(selection)}`
    const rows = leads.of(reachKey, basis, () =>
      countedLeads({ declarations, questions }, reach, shown, isWithoutHidden),
    )
    const withFirst = () => {
      const firstOf = firsts.of('', { table: declarations, triage: triage.changes }, () => ({
        declarations: firstAnswers(declarations, triage.declarations),
        questions: firstAnswers(questions, triage.questions),
      }))
      return withAnswers(rows, firstOf)
    }
    const ofTriage = { ...basis, triage: triage.changes }
    return {
      weeks: weeks.of(key, basis, () => countWeeks(rows, selection)),
      answers: answered.of(`${key} ${goalsKey(answers)}`, ofTriage, () =>
        answerFigures(withFirst(), { ...answers, schools: selection.schools }),
      ),
      asked: rows.questions.rows,
      counts: () => counts.of(key, basis, () => interestCounts(rows, selection)),
      handled: () => times.of(key, ofTriage, () => timeToAnswer(withFirst(), selection)),
      boardCounts: () => boards.of(reachKey, basis, () => boardCounts(rows)),
    }
  }
}

function ofSnapshot(declarations: LeadTable, questions: LeadTable) {
  return {
    declarations,
    questions,
    leads: createTableCache<CountedLeads>(MAX_REACHES),
    firsts: createTableCache<Record<'declarations' | 'questions', Float64Array>>(1),
    weeks: createTableCache<WeekCount[]>(MAX_SELECTIONS),
    counts: createTableCache<InterestCounts>(MAX_SELECTIONS),
    boards: createTableCache<BoardCounts>(MAX_REACHES),
    answered: createTableCache<Answers>(MAX_SELECTIONS),
    times: createTableCache<AnswerTimes>(MAX_SELECTIONS),
  }
}

/** Goals change with the settings, at midnight, and with the cohort. */
function goalsKey({ windows, goals, today }: InterestQuestion['answers']): string {
  const days = Object.values(windows).map(({ from, to }) => `${from} ${to}`)
  return [today, goals.declarations.key, goals.questions.key, ...days].join(' ')
}

function selectionKey({ schools, from, to }: InterestSelection): string {
  return JSON.stringify([schools && [...schools].toSorted(), String(from), String(to)])
}
