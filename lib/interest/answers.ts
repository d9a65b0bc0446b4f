import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import type { AnswerFigures, Answers } from '@/lib/contract/interest'
import { groupBy } from '@/lib/group-by'
import type { WorkRules } from '@/lib/leads/work-rules'
import { dayText, epochDay, stockholmDayStart, stockholmEpochDay } from '@/lib/time/stockholm'
import { isoWeek, mondayOf } from '@/lib/time/weeks'
import { admissionYear, type DayWindow, dayZero } from './cohort'
import { chosenSchools, type InterestSelection } from './interest-counts'
import { type AnsweredLeads, type AnsweredRows, minutesWaited, NEVER, timesOf } from './time-to-answer'

type Goals = Record<keyof AnsweredLeads, Pick<WorkRules, 'from' | 'dueOf'>>
export type AnswersAsked = {
  schools: InterestSelection['schools']
  windows: AnswerWindows
  goals: Goals
  /** The Stockholm day it is, since 1 January 1970. */
  today: number
}

/** The leads that are judged, those they are compared with, and those that are shown week by week. */
export type AnswerWindows = { now: DayWindow; before: DayWindow; weeks: DayWindow }

const WEEKS_SHOWN = 53

/**
 * Without a period: the admission year of the cohort so far, against the year before until as many days from the last day to
 * apply. With one: its days, against those a cycle earlier.
 */
export function answerWindows(
  selection: DayWindow,
  { cohort, cycle, today }: { cohort: number; cycle: AdmissionCycle; today: number },
): AnswerWindows {
  const shift = dayZero(cohort, cycle) - dayZero(cohort - 1, cycle)
  const isOpen = selection.from === -Infinity && selection.to === Infinity
  const { from, to } = isOpen ? admissionYear(cohort, cycle) : selection
  const now = { from, to: Math.min(to, today) }
  const before = isOpen ? admissionYear(cohort - 1, cycle).from : from - shift
  const weeks = isOpen ? { from: mondayOf(today) - (WEEKS_SHOWN - 1) * 7, to: today } : now
  return { now, before: { from: before, to: now.to - shift }, weeks }
}

/** How leads were answered. */
export function answersTo(leads: AnsweredLeads, asked: AnswersAsked): Answers {
  const schools = [...talliesBySchool(leads, asked)]
  const weeks = groupBy(
    schools.flatMap(([, ofSchool]) => [...ofSchool.weeks]),
    ([monday]) => monday,
  )
  return {
    ...figuresOf(schools.map(([, { now }]) => now)),
    bySchool: schools
      .filter(([, { now }]) => now.counted + now.minutes.length > 0)
      .map(([highSchoolId, { now }]) => ({ highSchoolId, ...figuresOf([now]) })),
    weeks: [...weeks]
      .toSorted(([a], [b]) => a - b)
      .map(([monday, ofWeek]) => ({ week: isoWeek(monday), ...figuresOf(ofWeek.map(([, tally]) => tally)) })),
    lastYear: figuresOf(schools.map(([, { before }]) => before)),
  }
}

/** Of the answered ones how long each waited; and of the counted ones how many were answered within the goal. */
type Tally = { minutes: number[]; counted: number; within: number }
type SchoolTallies = { now: Tally; before: Tally; weeks: Map<number, Tally> }

function newTally(): Tally {
  return { minutes: [], counted: 0, within: 0 }
}

function figuresOf(tallies: readonly Tally[]): AnswerFigures {
  const counted = tallies.reduce((sum, tally) => sum + tally.counted, 0)
  const within = tallies.reduce((sum, tally) => sum + tally.within, 0)
  const times = timesOf(tallies.flatMap(({ minutes }) => minutes))
  return { counted, withinGoal: counted === 0 ? null : within / counted, ...times }
}

/** For each chosen school: what came in the window, in the one it is compared with, and in each week, by its Monday. */
function talliesBySchool(leads: AnsweredLeads, asked: AnswersAsked): Map<string, SchoolTallies> {
  const bySchool = new Map<string, SchoolTallies>()
  const { now, before, weeks } = asked.windows
  const earliest = Math.min(now.from, before.from, weeks.from)
  const latest = Math.max(now.to, before.to, weeks.to)
  for (const list of ['declarations', 'questions'] as const) {
    const { table, rows, day } = leads[list]
    const isChosen = chosenSchools(table, { schools: asked.schools })
    const schools = table.schoolIds.map((id, at) => (isChosen[at] ? talliesOf(bySchool, id) : null))
    const verdictOf = judge(leads[list], asked.goals[list], asked.today)
    for (let place = 0; place < rows.length; place++) {
      const when = day[place] ?? 0
      // Rows are newest first.
      if (when < earliest) break
      if (when > latest) continue
      const row = rows[place] ?? 0
      const school = schools[table.school[row] ?? -1] ?? null
      if (school === null) continue
      const verdict = verdictOf(row, when)
      const waited = minutesWaited(leads[list], row)
      if (verdict === 'not counted' && Number.isNaN(waited)) continue
      if (isIn(now, when)) add(school.now, waited, verdict)
      if (isIn(before, when)) add(school.before, waited, verdict)
      if (isIn(weeks, when)) add(weekOf(school.weeks, mondayOf(when)), waited, verdict)
    }
  }
  return bySchool
}

function isIn({ from, to }: DayWindow, day: number): boolean {
  return day >= from && day <= to
}

function talliesOf(bySchool: Map<string, SchoolTallies>, id: string): SchoolTallies {
  const found = bySchool.get(id) ?? { now: newTally(), before: newTally(), weeks: new Map() }
  bySchool.set(id, found)
  return found
}

function weekOf(weeks: Map<number, Tally>, monday: number): Tally {
  const found = weeks.get(monday) ?? newTally()
  weeks.set(monday, found)
  return found
}

type Verdict = 'within' | 'late' | 'not counted'

function add(tally: Tally, waited: number, verdict: Verdict): void {
  if (!Number.isNaN(waited)) tally.minutes.push(waited)
  if (verdict === 'not counted') return
  tally.counted += 1
  if (verdict === 'within') tally.within += 1
}

/** What becomes of a lead, by its row and the day on which it came. Rows are in the order of time, so the day is mostly that before. */
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
    if (due === null || at === NEVER) return 'not counted'
    const hasAnswer = !Number.isNaN(at)
    if (!hasAnswer && due >= today) return 'not counted'
    // By the first day of work alone: a cohort whose admission is over by now was work when it came.
    if ((table.createdAt[row] ?? 0) < goal.from) return 'not counted'
    return hasAnswer && stockholmEpochDay(at) <= due ? 'within' : 'late'
  }
}
