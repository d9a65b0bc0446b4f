import 'server-only'
import type { Interest, InterestQuery } from '@/lib/contract/interest'
import type { HighSchool, LeadKind } from '@/lib/contract/lead'
import { answerWindows } from '@/lib/interest/answers'
import { boardOf } from '@/lib/interest/board'
import { type DayWindow, dayZero, defaultCohort } from '@/lib/interest/cohort'
import type { InterestSelection } from '@/lib/interest/counted-leads'
import { curveOf } from '@/lib/interest/interest-counts'
import type { InterestPage } from '@/lib/interest/interest-page'
import { roundedAnswers, roundedInterest, roundedSpelling } from '@/lib/interest/rounding'
import { exact } from '@/lib/interest/seasons'
import { isPlausibleYear } from '@/lib/contract/lists'
import { countWork } from '@/lib/leads/count-work'
import type { LeadTable } from '@/lib/leads/lead-table'
import { dayText, epochDay, stockholmDay } from '@/lib/time/stockholm'
import { type Allowed, may, maySee } from '@/server/access/viewer'
import { type SchoolParts, knownSchools } from '@/server/feed/feed'
import type { TriageColumnsCache } from '@/server/leads/list-counts'
import { countedTable, type LeadParts } from '@/server/leads/select-leads'
import { snapshotFor } from '@/server/leads/feed-status'
import { InvalidInputError } from '@/server/base/errors'
import { tableToCount } from '@/server/leads/protected-rows'
import { getAdmissionCycle, type Settings } from '@/server/access/settings'
import type { Work } from '@/server/leads/work'
import type { TriageBoard } from '@/server/leads/triage-board'
import type { InterestCache } from './interest-cache'

type Parts = LeadParts & {
  triage: Pick<TriageBoard, 'current' | 'changes'>
  interest: InterestCache
  now: () => number
  settings: Settings
  work: Pick<Work, 'settings' | 'rules'>
}

export type PageParts = Parts & SchoolParts & { triageColumns: TriageColumnsCache }
type Reader = Allowed<'interest:read'>

/** Throws NotReadyError while the service has never answered. */
export async function interestPage(
  parts: PageParts,
  viewer: Reader,
  query: Pick<InterestQuery, 'cohort' | 'school'>,
): Promise<InterestPage> {
  const counted = await countInterest(parts, viewer, query)
  const { cohort, cycle, selection, isRounded, snapshot } = counted
  const settings = await parts.work.settings()
  const asOf = stockholmDay(Date.parse(snapshot.fetchedAt))
  const today = epochDay(asOf)
  const thisYear = Number(asOf.slice(0, 4))
  const isWorked = cohort === defaultCohort(asOf, cycle)
  const hasFirstDay = settings.work !== null
  const answers = isRounded ? roundedAnswers(counted.answers) : counted.answers
  const waiting = waitingQuestions(parts, counted, hasFirstDay)
  const schools = schoolsOf(parts, viewer, counted, waiting)
  const counts = counted.boardCounts()
  const years = schools.flatMap(({ id }) => [...(counts.get(id)?.keys() ?? [])])
  const plausible = years.filter((year) => isPlausibleYear(year, thisYear))
  return {
    cohort,
    cohorts: [...new Set([...plausible, thisYear, thisYear + 1, cohort])].toSorted((a, b) => a - b),
    asOf,
    snapshot,
    cycle,
    isRounded,
    chosen: selection.schools === null ? [] : schools.map(({ name }) => name),
    goals: settings.goals,
    isWorked,
    hasFirstDay,
    board: boardOf({
      counts,
      schools,
      cohort,
      cycle,
      today,
      waiting,
      answers:
        isWorked && hasFirstDay
          ? { all: answers, bySchool: new Map(answers.bySchool.map((one) => [one.highSchoolId, one])) }
          : { all: { counted: 0, withinGoal: null }, bySchool: new Map() },
      spell: isRounded ? roundedSpelling : exact,
    }),
  }
}

type Waiting = ReadonlyMap<string, { waiting: number; late: number }>

/** Those in reach or the chosen ones, in the order of the service; last those that it does not list, by id. */
function schoolsOf(parts: SchoolParts, viewer: Reader, counted: CountedInterest, waiting: Waiting): HighSchool[] {
  const { schools } = counted.selection
  const declaredTo = [...counted.boardCounts()].flatMap(([id, years]) => (years.size > 0 ? [id] : []))
  const known = knownSchools(parts)
  const unlisted = new Set([...declaredTo, ...waiting.keys()])
  for (const { id } of known) unlisted.delete(id)
  const isChosen = ({ id }: HighSchool) => maySee(viewer, id) && schools?.has(id) !== false
  return [...known, ...[...unlisted].toSorted().map((id) => ({ id, name: id }))].filter(isChosen)
}

/** Of the schools that were asked anything. None is late before it was chosen from when leads are work: all that ever came would be. */
function waitingQuestions(
  { triageColumns, triage: { changes } }: PageParts,
  counted: CountedInterest,
  hasFirstDay: boolean,
): Waiting {
  const { asked, questions } = counted
  const { table, triage, rules } = questions
  const columns = triageColumns.of(table, triage, changes(), rules)
  const { waitingAt, lateAt } = countWork(table, asked, columns, rules)
  const schools = new Set<number>()
  for (const row of asked) schools.add(table.school[row] ?? 0)
  return new Map(
    [...schools].map((at) => [
      table.schoolIds[at] ?? '',
      { waiting: waitingAt[at] ?? 0, late: hasFirstDay ? (lateAt[at] ?? 0) : 0 },
    ]),
  )
}

export function daysOf({ from, to }: DayWindow): { from: string | null; to: string | null } {
  const textOf = (day: number) => (Number.isFinite(day) ? dayText(day) : null)
  return { from: textOf(from), to: textOf(to) }
}

export async function getInterest(parts: Parts, viewer: Reader, query: InterestQuery): Promise<Interest> {
  const counted = await countInterest(parts, viewer, query)
  const { cohort, cycle, weeks, answers, windows, isRounded, snapshot } = counted
  const counts = counted.counts()
  const { count: answered, medianMinutes, p90Minutes } = counted.handled()
  const interest = {
    cohort,
    byYearAndSchool: counts.bySchool
      .toSorted((a, b) => (a.highSchoolId < b.highSchoolId ? -1 : 1))
      .flatMap(({ highSchoolId, years }) =>
        years
          .toSorted((a, b) => (a.year ?? Infinity) - (b.year ?? Infinity))
          .map((count) => ({ highSchoolId, ...count })),
      ),
    weeks,
    curves: counts.years.map(({ year, days }) => ({ year, points: curveOf(days, dayZero(year, cycle)) })),
    handled: { medianMinutes, p90Minutes },
    answers: { ...daysOf(windows.now), ...answers, lastYear: { ...daysOf(windows.before), ...answers.lastYear } },
    snapshot,
  }
  return isRounded ? roundedInterest(interest, answered) : interest
}

type CountedInterest = Awaited<ReturnType<typeof countInterest>>

async function countInterest(parts: Parts, viewer: Reader, query: InterestQuery) {
  const { triage, interest, work } = parts
  const ofList = (kind: LeadKind) => Promise.all([countedTable(parts, kind), triage.current(kind), work.rules(kind)])
  const [[declarations, ...ofDeclarations], [questions, ...ofQuestions], protections, cycle] = await Promise.all([
    ofList('declaration-of-interest'),
    ofList('asked-question'),
    parts.protections.current(),
    getAdmissionCycle(parts, viewer),
  ])
  const { isRounded, selection } = choiceOf(viewer, query)
  const today = epochDay(stockholmDay(parts.now()))
  const cohort = query.cohort ?? defaultCohort(dayText(today), cycle)
  const windows = answerWindows(selection, { cohort, cycle, today, isWeekly: isRounded })
  const shown = (table: LeadTable) => tableToCount(protections, viewer, table)
  const counted = interest({
    declarations: declarations.table,
    questions: questions.table,
    shown: { declarations: shown(declarations.table), questions: shown(questions.table) },
    isWithoutHidden: isRounded,
    reach: viewer.schools,
    selection,
    triage: { declarations: ofDeclarations[0], questions: ofQuestions[0], changes: triage.changes() },
    answers: { windows, goals: { declarations: ofDeclarations[1], questions: ofQuestions[1] }, today },
  })
  return {
    ...counted,
    questions: { table: shown(questions.table), triage: ofQuestions[0], rules: ofQuestions[1] },
    cohort,
    cycle,
    selection,
    /** Whether the caller must round; the numbers here are exact. */
    isRounded,
    windows,
    snapshot: snapshotFor(viewer, declarations.snapshot),
  }
}

/**
 * What may be chosen. A manager's numbers are one published table, each rounded once: of one school or of all in reach, and of no
 * period of their own, because the differences of many rounded numbers are exact ones.
 */
export function choiceOf(
  viewer: Reader,
  { school = [], from, to }: InterestQuery,
): { isRounded: boolean; selection: InterestSelection } {
  const isRounded = !may(viewer, 'leads:read')
  const schools = new Set(school)
  if (isRounded && from !== undefined) throw new InvalidInputError('from')
  if (isRounded && to !== undefined) throw new InvalidInputError('to')
  if (isRounded && schools.size > 1) throw new InvalidInputError('school')
  const selection = {
    schools: schools.size === 0 ? null : schools,
    from: from === undefined ? -Infinity : epochDay(from),
    to: to === undefined ? Infinity : epochDay(to),
  }
  return { isRounded, selection }
}
