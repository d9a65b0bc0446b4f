import 'server-only'
import { type CountedLeads, countedLeads, type TablesOfBoth } from '@/lib/interest/counted-leads'
import { type InterestCounts, interestCounts, type InterestSelection } from '@/lib/interest/interest-counts'
import { type Answers, type AnswersAsked, answersTo } from '@/lib/interest/answers'
import { type AnsweredLeads, firstAnswers, type TriageOfBoth } from '@/lib/interest/first-answers'
import { type TimeToAnswer, timeToAnswer, toldTimeToAnswer } from '@/lib/interest/time-to-answer'
import { toldAnswersTo } from '@/lib/interest/told-answers'
import { type ToldLeads, toldLeads } from '@/lib/interest/told-leads'
import { withheldCounts } from '@/lib/interest/withheld'
import type { LeadTable } from '@/lib/leads/lead-table'
import type { TriageOf } from '@/lib/leads/triage-columns'
import type { WorkRules } from '@/lib/leads/work-rules'

export type InterestQuestion = TablesOfBoth & {
  /** The same tables as the reader is shown them, by which it is told who is the same person. */
  shown: TablesOfBoth
  /** The schools within somebody's reach. */
  reach: 'all' | ReadonlySet<string>
  selection: InterestSelection
  triage: TriageOfBoth
  answers: Pick<AnswersAsked, 'windows' | 'today'> & { goals: Record<'declarations' | 'questions', WorkRules> }
  /** For somebody who may only count: small groups are not told. */
  isWithheld: boolean
}

export type InterestCache = (question: InterestQuestion) => InterestAnswer
/** `few`: the schools and years of which only that is told; none for who may read the leads. */
type InterestAnswer = { counts: InterestCounts; few: ToldLeads['few'] } & Answered
type Answered = { handled: TimeToAnswer; answers: Answers }

const MOST_REACHES = 16
const MOST_SELECTIONS = 64

/**
 * Counts, each once: per snapshot, reach, hidden persons, schools and period, and what is answered also per state of the triage, goals and day.
 * With the first count of a new snapshot everything of the last one goes. Nothing in here is by person but what they are shown.
 */
export function createInterestCache(): InterestCache {
  let tables: LeadTable[] = []
  const readerOf = readers()
  const leads = new Map<string, CountedLeads>()
  const told = new Map<string, ToldLeads>()
  const counts = new Map<string, InterestCounts>()
  const answered = new Map<string, { state: string } & Answered>()
  let firsts: FirstAnswers = { state: '', declarations: new Float64Array(), questions: new Float64Array() }

  return (question) => {
    const { declarations, questions, shown, reach, selection, triage, isWithheld } = question
    if (tables[0] !== declarations || tables[1] !== questions) {
      tables = [declarations, questions]
      for (const cache of [leads, told, counts, answered]) cache.clear()
      firsts = { ...firsts, state: '' }
    }
    const reachKey = readerOf(question)
    const key = `${isWithheld} ${reachKey} ${selectionKey(selection)}`
    const ofReach = cached(leads, reachKey, MOST_REACHES, () => countedLeads({ declarations, questions }, reach, shown))
    const toldOf = () => cached(told, reachKey, MOST_REACHES, () => toldLeads(ofReach))
    const stateOfTriage = `${fingerprint(triage.declarations)} ${fingerprint(triage.questions)}`
    if (firsts.state !== stateOfTriage)
      firsts = {
        state: stateOfTriage,
        declarations: firstAnswers(declarations, triage.declarations),
        questions: firstAnswers(questions, triage.questions),
      }
    const state = `${stateOfTriage} ${stateOfGoals(question.answers)}`
    if (answered.get(key)?.state !== state) answered.delete(key)
    const { handled, answers } = cached(answered, key, MOST_SELECTIONS, () => {
      const rows = withAnswers(ofReach, firsts)
      const asked = { ...question.answers, schools: selection.schools }
      return isWithheld
        ? {
            state,
            handled: toldTimeToAnswer(rows, selection, toldOf()),
            answers: toldAnswersTo(rows, asked, toldOf()),
          }
        : { state, handled: timeToAnswer(rows, selection), answers: answersTo(rows, asked) }
    })
    return {
      counts: cached(counts, key, MOST_SELECTIONS, () =>
        isWithheld ? withheldCounts(toldOf(), selection) : interestCounts(ofReach, selection),
      ),
      handled,
      answers,
      few: isWithheld ? toldOf().few : [],
    }
  }
}

/** The same for all who see the same schools and are shown the same persons: whom somebody is not shown has no key in a column of their own. */
function readers(): (of: Pick<InterestQuestion, 'reach' | 'shown'>) => string {
  const known = new WeakMap<Float64Array, number>()
  let next = 0
  const numberOf = (column: Float64Array) => {
    const number = known.get(column) ?? next++
    known.set(column, number)
    return number
  }
  return ({ reach, shown }) => {
    const schools = reach === 'all' ? 'all' : JSON.stringify([...reach].toSorted())
    return `${numberOf(shown.declarations.emailKey)} ${numberOf(shown.questions.emailKey)} ${schools}`
  }
}

type FirstAnswers = { state: string } & Record<'declarations' | 'questions', Float64Array>

function withAnswers({ declarations, questions }: CountedLeads, firsts: FirstAnswers): AnsweredLeads {
  return {
    declarations: { ...declarations, answeredAt: firsts.declarations },
    questions: { ...questions, answeredAt: firsts.questions },
  }
}

/** What counts as within the goal changes with the settings, at midnight, and with the cohort, whose admission year is looked at. */
function stateOfGoals({ windows, goals, today }: InterestQuestion['answers']): string {
  const days = Object.values(windows).map(({ from, to }) => `${from} ${to}`)
  return [today, goals.declarations.key, goals.questions.key, ...days].join(' ')
}

function selectionKey({ schools, from, to }: InterestSelection): string {
  return JSON.stringify([schools && [...schools].toSorted(), String(from), String(to)])
}

/** The oldest entry makes room for a new one. */
function cached<T>(cache: Map<string, T>, key: string, most: number, make: () => T): T {
  const found = cache.get(key)
  if (found !== undefined) return found
  const oldest = cache.size >= most ? cache.keys().next().value : undefined
  if (oldest !== undefined) cache.delete(oldest)
  const made = make()
  cache.set(key, made)
  return made
}

/**
 * Tells states apart by what first answers are made of. Each entry is mixed before it is added, so that two that change by the
 * same, one up and one down, are not taken for none.
 */
function fingerprint(triage: TriageOf): string {
  let [sum, handled] = [0, 0]
  for (const { status, updatedAt, statusAt, answeredAt, attempts } of triage.values()) {
    const decided = Math.imul(((statusAt ?? updatedAt ?? 0) % MODULUS) | 0, 0x9e37_79b1)
    const tried = Math.imul((((answeredAt ?? 0) % MODULUS) | 0) + (attempts?.at(-1)?.id ?? 0), 0x85eb_ca6b)
    sum = (sum + ((decided ^ (tried >>> 3) ^ status.length) >>> 0)) % Number.MAX_SAFE_INTEGER
    if (status === 'handled') handled += 1
  }
  return `${triage.size} ${handled} ${sum}`
}

/** Times are told apart within 24 days to the millisecond. */
const MODULUS = 2 ** 31 - 1
