import type { AdmissionCycle } from '@/lib/contract/settings'
import type { AnswerFigures, Answers } from '@/lib/contract/interest'
import type { LeadTable } from '@/lib/leads/lead-table'
import type { TriageEntry, TriageOf } from '@/lib/leads/triage-columns'
import type { WorkRules } from '@/lib/leads/work-rules'
import { dayText, epochDay, stockholmDayStart, stockholmEpochDay } from '@/lib/time/stockholm'
import { isoWeek, mondayOf } from '@/lib/time/weeks'
import { admissionYear, type DayWindow } from './cohort'
import { type CountedLeads, type CountedRows, eachLead, getOrCreate, type InterestSelection } from './counted-leads'

type Goals = Record<keyof AnsweredLeads, Pick<WorkRules, 'from' | 'dueOf'>>
export type AnswersQuery = {
  schools: InterestSelection['schools']
  windows: AnswerWindows
  goals: Goals
  today: number
}

/** The leads that are judged, those they are compared with, and those that are shown week by week. */
export type AnswerWindows = { now: DayWindow; before: DayWindow; weeks: DayWindow }

const WEEK = 7
const WEEKS_SHOWN = 53
/** A year back in whole weeks, so that both periods have as many days, and of each weekday as many. */
const YEAR_OF_WEEKS = 52 * WEEK

type WindowsQuery = {
  cohort: number
  cycle: AdmissionCycle
  today: number
  /** Of whole weeks that have ended, as managers get them. */
  isWeekly: boolean
}

/** A period, or without one the admission year so far, against the same days 52 weeks before. */
export function answerWindows(selection: DayWindow, { cohort, cycle, today, isWeekly }: WindowsQuery): AnswerWindows {
  const isOpen = selection.from === -Infinity && selection.to === Infinity
  const { from, to } = isOpen ? admissionYear(cohort, cycle) : selection
  const now = isWeekly
    ? { from: mondayOf(from), to: Math.min(mondayOf(to) + WEEK, mondayOf(today)) - 1 }
    : { from, to: Math.min(to, today) }
  const weeks = isOpen ? { from: mondayOf(today) - (WEEKS_SHOWN - 1) * WEEK, to: today } : now
  return { now, before: { from: now.from - YEAR_OF_WEEKS, to: now.to - YEAR_OF_WEEKS }, weeks }
}

export function answerFigures(leads: AnsweredLeads, query: AnswersQuery): Answers {
  const { now, before, weeks } = query.windows
  const bySchool = new Map<string, Tally>()
  const byWeek = new Map<number, Tally>()
  const lastYear = newTally()
  const range = {
    schools: query.schools,
    from: Math.min(now.from, before.from, weeks.from),
    to: Math.max(now.to, before.to, weeks.to),
  }
  for (const list of ['declarations', 'questions'] as const) {
    const { table } = leads[list]
    const schools = table.schoolIds.map((id) => getOrCreate(bySchool, id, newTally))
    const verdictOf = judge(leads[list], query.goals[list], query.today)
    eachLead(leads[list], range, (row, day) => {
      const verdict = verdictOf(row, day)
      const waited = minutesWaited(leads[list], row)
      if (verdict === 'not counted' && Number.isNaN(waited)) return
      const school = schools[table.school[row] ?? -1]
      if (school && isIn(now, day)) add(school, waited, verdict)
      if (isIn(before, day)) add(lastYear, waited, verdict)
      if (isIn(weeks, day)) add(getOrCreate(byWeek, mondayOf(day), newTally), waited, verdict)
    })
  }
  return {
    ...figuresOf(...bySchool.values()),
    // By id: in the order of the list a hidden declaration might show.
    bySchool: [...bySchool]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .filter(([, { counted, minutes }]) => counted + minutes.length > 0)
      .map(([highSchoolId, tally]) => ({ highSchoolId, ...figuresOf(tally) })),
    weeks: [...byWeek]
      .toSorted(([a], [b]) => a - b)
      .map(([monday, tally]) => ({ week: isoWeek(monday), ...figuresOf(tally) })),
    lastYear: figuresOf(lastYear),
  }
}

function isIn({ from, to }: DayWindow, day: number): boolean {
  return day >= from && day <= to
}

/** How long each answered lead waited, and how many of the counted ones were answered within the goal. */
type Tally = { minutes: number[]; counted: number; within: number }

function newTally(): Tally {
  return { minutes: [], counted: 0, within: 0 }
}

function figuresOf(...tallies: readonly Tally[]): AnswerFigures {
  const counted = tallies.reduce((sum, tally) => sum + tally.counted, 0)
  const within = tallies.reduce((sum, tally) => sum + tally.within, 0)
  const times = timesOf(tallies.flatMap(({ minutes }) => minutes))
  return { counted, withinGoal: counted === 0 ? null : within / counted, ...times }
}

type Verdict = 'within' | 'late' | 'not counted'

function add(tally: Tally, waited: number, verdict: Verdict): void {
  if (!Number.isNaN(waited)) tally.minutes.push(waited)
  if (verdict === 'not counted') return
  tally.counted += 1
  if (verdict === 'within') tally.within += 1
}

/** Judges a lead by its row and its day. Rows are in the order of time, so the day is mostly the one before. */
function judge({ table, answeredAt }: AnsweredRows, goal: Goals['questions'], today: number) {
  let lastDay = Number.NaN
  let due: number | null = null
  return (row: number, day: number): Verdict => {
    if (day !== lastDay) {
      const text = goal.dueOf(stockholmDayStart(dayText(day)))
      due = text === null ? null : epochDay(text)
      lastDay = day
    }
    const at = answeredAt[row] ?? Number.NaN
    if (due === null || at === NOT_DUE) return 'not counted'
    const hasAnswer = !Number.isNaN(at)
    if (!hasAnswer && due >= today) return 'not counted'
    // Only the first day of work counts here: a cohort whose admission is over was work when it came.
    if ((table.createdAt[row] ?? 0) < goal.from) return 'not counted'
    return hasAnswer && stockholmEpochDay(at) <= due ? 'within' : 'late'
  }
}

export type AnsweredRows = Pick<CountedRows, 'table' | 'rows' | 'day'> & {
  /** In ms; NaN without one, `NOT_DUE` where none is due. */
  answeredAt: Float64Array
}
export type AnsweredLeads = Record<'declarations' | 'questions', AnsweredRows>

export const NOT_DUE = Infinity

export function firstAnswers(table: LeadTable, triage: TriageOf): Float64Array {
  const answeredAt = new Float64Array(table.size).fill(Number.NaN)
  for (const [id, entry] of triage) {
    const at = firstAnswerOf(entry)
    if (Number.isNaN(at)) continue
    const row = table.rowOf(id)
    if (row !== -1) answeredAt[row] = at
  }
  return answeredAt
}

/** A lead that is handled without an attempt was answered in some other way, at that moment. */
function firstAnswerOf({ status, updatedAt, statusAt, answeredAt }: TriageEntry): number {
  if (answeredAt != null) return answeredAt
  if (status === 'dismissed') return NOT_DUE
  return status === 'handled' ? (statusAt ?? updatedAt ?? Number.NaN) : Number.NaN
}

export function withAnswers(
  { declarations, questions }: Pick<CountedLeads, 'declarations' | 'questions'>,
  answeredAt: Record<keyof AnsweredLeads, Float64Array>,
): AnsweredLeads {
  return {
    declarations: { ...declarations, answeredAt: answeredAt.declarations },
    questions: { ...questions, answeredAt: answeredAt.questions },
  }
}

/** Minutes from arrival to the first answer, NaN without one. A lead may be dated later than our clock. */
export function minutesWaited({ table, answeredAt }: AnsweredRows, row: number): number {
  const at = answeredAt[row] ?? Number.NaN
  return at === NOT_DUE ? Number.NaN : Math.max(0, at - (table.createdAt[row] ?? Number.NaN)) / 60_000
}

export type AnswerTimes = { count: number; medianMinutes: number | null; p90Minutes: number | null }

export function timeToAnswer(leads: AnsweredLeads, selection: InterestSelection): AnswerTimes {
  const minutes: number[] = []
  for (const list of [leads.declarations, leads.questions]) {
    eachLead(list, selection, (row) => {
      const waited = minutesWaited(list, row)
      if (!Number.isNaN(waited)) minutes.push(waited)
    })
  }
  return timesOf(minutes)
}

function timesOf(minutes: readonly number[]): AnswerTimes {
  const ascending = new Float64Array(minutes).sort()
  return { count: ascending.length, medianMinutes: quantile(ascending, 0.5), p90Minutes: quantile(ascending, 0.9) }
}

/** The value below which `share` of ascending numbers lie, as SQL's percentile_cont; null of none. */
export function quantile(ascending: ArrayLike<number>, share: number): number | null {
  const place = (ascending.length - 1) * share
  const below = ascending[Math.floor(place)]
  const above = ascending[Math.ceil(place)]
  if (below === undefined || above === undefined) return null
  return below + (above - below) * (place - Math.floor(place))
}
