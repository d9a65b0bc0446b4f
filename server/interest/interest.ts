import 'server-only'
import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import type { InterestQuery, Interest } from '@/lib/contract/interest'
import type { HighSchool } from '@/lib/contract/lead'
import type { SnapshotInfo } from '@/lib/contract/feed-status'
import { dayZero, defaultCohort } from '@/lib/interest/cohort'
import { cycleCurves, headline, curveOf } from '@/lib/interest/cohort-curves'
import type { InterestCounts, InterestSelection } from '@/lib/interest/interest-counts'
import { interestGrid } from '@/lib/interest/interest-grid'
import type { InterestPage } from '@/lib/interest/interest-page'
import { type AnswerWindows, answerWindows, type DayWindow } from '@/lib/interest/answer-windows'
import type { AnswerFigures, Answers } from '@/lib/interest/answers'
import type { TimeToAnswer } from '@/lib/interest/time-to-answer'
import { shownWeeks } from '@/lib/interest/week-counts'
import type { ToldLeads } from '@/lib/interest/told-leads'
import { LEAST_GROUP } from '@/lib/interest/small-groups'
import { inWholeWeeks, withheldHeadline } from '@/lib/interest/withheld'
import { isPlausibleYear } from '@/lib/leads/plausible-year'
import { dayText, epochDay, stockholmDay } from '@/lib/time/stockholm'
import { type Allowed, may, maySee } from '@/server/access/viewer'
import { type SchoolParts, knownSchools } from '@/server/leads/high-schools'
import { countedTable, type LeadParts } from '@/server/leads/select-leads'
import { snapshotFor } from '@/server/operations/status'
import { tableFor } from '@/server/rights/protected-tables'
import { getAdmissionCycle, type Settings } from '@/server/settings/settings'
import type { Work } from '@/server/settings/work'
import type { TriageBoard } from '@/server/triage/triage-board'
import type { InterestCache } from './interest-cache'

type Parts = LeadParts & {
  triage: Pick<TriageBoard, 'current'>
  interest: InterestCache
  now: () => number
  settings: Settings
  work: Pick<Work, 'settings' | 'rules'>
}

/** Everything on the page about interest. Throws NotReadyError while the service has never answered. */
export async function interestPage(
  parts: Parts & SchoolParts,
  viewer: Allowed<'interest:read'>,
  query: InterestQuery,
): Promise<InterestPage> {
  const counted = await countInterest(parts, viewer, query)
  const { cohort, cycle, counts, selection, isWithheld, few, snapshot } = counted
  const asOf = stockholmDay(Date.parse(snapshot.fetchedAt))
  const today = epochDay(asOf)
  const thisYear = Number(asOf.slice(0, 4))
  const all = knownSchools(parts).filter(({ id }) => maySee(viewer, id))
  const schools = all.filter(({ id }) => selection.schools === null || selection.schools.has(id))
  const fewIn = (year: number) => few.filter((one) => one.year === year)
  const known = [...counts.years, ...few].map(({ year }) => year)
  const plausible = known.filter((year) => isPlausibleYear(year, thisYear))
  const numbers = headline(counts.years, cohort, cycle, today)
  return {
    cohort,
    cohorts: [...new Set([...plausible, thisYear, thisYear + 1, cohort])].toSorted((a, b) => a - b),
    asOf,
    snapshot,
    cycle,
    period: { from: dayOrNull(selection.from), to: dayOrNull(selection.to) },
    isWithheld,
    chosen: selection.schools === null ? [] : schools.map(({ name }) => name),
    headline: isWithheld
      ? withheldHeadline(numbers, { few: fewIn(cohort).length, fewBefore: fewIn(cohort - 1).length })
      : numbers,
    curves: cycleCurves(counts.years, cohort, cycle, today),
    grid: interestGrid(counts, schools, { thisYear, cohort }),
    weeks: shownWeeks(counts.weeks, selection, today),
    questions: { modes: counts.modes },
    answers: await pageAnswers(parts, counted, { schools, today }),
  }
}

type AnswersOn = { schools: readonly HighSchool[]; today: number }

async function pageAnswers(
  { work }: Pick<Parts, 'work'>,
  { answers, windows, selection, isWithheld }: CountedInterest,
  { schools, today }: AnswersOn,
): Promise<InterestPage['answers']> {
  const names = new Map(schools.map(({ id, name }, order) => [id, { name, order }]))
  const orderOf = (id: string) => names.get(id)?.order ?? Infinity
  const period = isWithheld ? { from: -Infinity, to: Infinity } : selection
  const { goals, work: ofWork } = await work.settings()
  const firstDay = ofWork?.from == null ? -Infinity : epochDay(ofWork.from)
  const byWeek = new Map(answers.weeks.map((week) => [week.week, week]))
  const told = answers.weeks.map(({ week }) => ({ week, declarations: 0, questions: 0 }))
  return {
    ...answers,
    bySchool: answers.bySchool
      .toSorted((a, b) => orderOf(a.highSchoolId) - orderOf(b.highSchoolId))
      .map(({ highSchoolId, ...figures }) => ({
        ...figures,
        school: { id: highSchoolId, name: names.get(highSchoolId)?.name ?? highSchoolId },
      })),
    weeks:
      told.length === 0
        ? []
        : shownWeeks(told, period, today).map(({ week }) => byWeek.get(week) ?? { week, ...NO_FIGURES }),
    goals,
    isOfCycle: period.from === -Infinity && period.to === Infinity,
    isBeforeWork: { now: windows.now.to < firstDay, before: windows.before.to < firstDay },
  }
}

const NO_FIGURES: AnswerFigures = {
  count: null,
  counted: null,
  withinGoal: null,
  medianMinutes: null,
  p90Minutes: null,
}

function daysOf({ from, to }: DayWindow): { from: string | null; to: string | null } {
  return { from: dayOrNull(from), to: dayOrNull(to) }
}

function dayOrNull(day: number): string | null {
  return Number.isFinite(day) ? dayText(day) : null
}

/** The numbers behind the page, for other programs. Throws NotReadyError while the service has never answered. */
export async function getInterest(
  parts: Parts,
  viewer: Allowed<'interest:read'>,
  query: InterestQuery,
): Promise<Interest> {
  const counted = await countInterest(parts, viewer, query)
  const { cohort, cycle, counts, handled, answers, windows, isWithheld, snapshot } = counted
  const { medianMinutes, p90Minutes } = handled
  return {
    cohort,
    byYearAndSchool: counts.cells
      .toSorted(bySchoolAndYear)
      .map(({ highSchoolId, year, declarations, people }) => ({ highSchoolId, year, declarations, people })),
    weeks: counts.weeks,
    curves: counts.years.map(({ year, declarations }) => ({
      year,
      points: curveOf(declarations, dayZero(year, cycle)),
    })),
    handled: { medianMinutes, p90Minutes },
    answers: {
      ...daysOf(windows.now),
      ...answers,
      lastYear: { ...daysOf(windows.before), ...answers.lastYear },
    },
    snapshot,
    ...(isWithheld && { withheldBelow: LEAST_GROUP }),
  }
}

/** Without a year comes last. */
function bySchoolAndYear(a: InterestCounts['cells'][number], b: InterestCounts['cells'][number]): number {
  if (a.highSchoolId !== b.highSchoolId) return a.highSchoolId < b.highSchoolId ? -1 : 1
  return (a.year ?? Infinity) - (b.year ?? Infinity)
}

type CountedInterest = {
  cohort: number
  cycle: AdmissionCycle
  /** As counted; wider than asked where small groups are withheld. */
  selection: InterestSelection
  isWithheld: boolean
  counts: InterestCounts
  handled: TimeToAnswer
  answers: Answers
  windows: AnswerWindows
  /** Of the chosen schools, the ones and years with one to four, if that is all that is told of them. */
  few: ToldLeads['few']
  snapshot: SnapshotInfo
}

/** The counts that this person may see of the leads in their reach. Throws NotReadyError without data. */
async function countInterest(
  parts: Parts,
  viewer: Allowed<'interest:read'>,
  query: InterestQuery,
): Promise<CountedInterest> {
  const { triage, interest, work } = parts
  const [declarations, questions, ofDeclarations, ofQuestions, protections, cycle, goals] = await Promise.all([
    countedTable(parts, 'declaration-of-interest'),
    countedTable(parts, 'asked-question'),
    triage.current('declaration-of-interest'),
    triage.current('asked-question'),
    parts.protections.current(),
    getAdmissionCycle(parts, viewer),
    goalsOf(work),
  ])
  const isWithheld = !may(viewer, 'leads:read')
  const asked = selectionOf(query)
  const selection = isWithheld ? inWholeWeeks(asked) : asked
  const today = epochDay(stockholmDay(parts.now()))
  const cohort = query.cohort ?? defaultCohort(dayText(today), cycle)
  const windows = answerWindows(selection, { cohort, cycle, today, isWithheld })
  const { counts, handled, answers, few } = interest({
    declarations: declarations.table,
    questions: questions.table,
    shown: {
      declarations: tableFor(protections, viewer, declarations.table),
      questions: tableFor(protections, viewer, questions.table),
    },
    reach: viewer.schools,
    selection,
    triage: { declarations: ofDeclarations, questions: ofQuestions },
    answers: { windows, goals, today },
    isWithheld,
  })
  return {
    cohort,
    cycle,
    selection,
    isWithheld,
    counts,
    handled,
    answers,
    windows,
    few: few.filter(({ highSchoolId }) => selection.schools?.has(highSchoolId) ?? true),
    snapshot: snapshotFor(viewer, declarations.snapshot),
  }
}

async function goalsOf(work: Parts['work']) {
  const [declarations, questions] = await Promise.all([
    work.rules('declaration-of-interest'),
    work.rules('asked-question'),
  ])
  return { declarations, questions }
}

/** As in the lists, naming no school is naming all. */
function selectionOf({ school = [], from, to }: InterestQuery): InterestSelection {
  return {
    schools: school.length === 0 ? null : new Set(school),
    from: from === undefined ? -Infinity : epochDay(from),
    to: to === undefined ? Infinity : epochDay(to),
  }
}
