import 'server-only'
import type { AnswerFigures, Interest, InterestQuery } from '@/lib/contract/interest'
import type { HighSchool, LeadKind } from '@/lib/contract/lead'
import { answerWindows } from '@/lib/interest/answers'
import { type DayWindow, dayZero, defaultCohort } from '@/lib/interest/cohort'
import { cycleCurves, headline, curveOf } from '@/lib/interest/cohort-curves'
import type { InterestSelection } from '@/lib/interest/counted-leads'
import { shownWeeks } from '@/lib/interest/interest-counts'
import { interestGrid } from '@/lib/interest/interest-grid'
import type { InterestPage } from '@/lib/interest/interest-page'
import { endOfCycleWeek, roundedInterest, roundedPage, wholePeriod } from '@/lib/interest/rounding'
import { isPlausibleYear } from '@/lib/contract/lists'
import type { LeadTable } from '@/lib/leads/lead-table'
import { dayText, epochDay, stockholmDay } from '@/lib/time/stockholm'
import { type Allowed, may, maySee } from '@/server/access/viewer'
import { type SchoolParts, knownSchools } from '@/server/leads/high-schools'
import { countedTable, type LeadParts } from '@/server/leads/select-leads'
import { snapshotFor } from '@/server/operations/status'
import { tableFor } from '@/server/rights/protected-rows'
import { getAdmissionCycle, type Settings } from '@/server/settings/settings'
import type { Work } from '@/server/settings/work'
import type { TriageBoard } from '@/server/triage/triage-board'
import type { InterestCache } from './interest-cache'

type Parts = LeadParts & {
  triage: Pick<TriageBoard, 'current' | 'changes'>
  interest: InterestCache
  now: () => number
  settings: Settings
  work: Pick<Work, 'settings' | 'rules'>
}

type PageParts = Parts & SchoolParts
type Reader = Allowed<'interest:read'>

/** Throws NotReadyError while the service has never answered. */
export async function interestPage(parts: PageParts, viewer: Reader, query: InterestQuery): Promise<InterestPage> {
  const counted = await countInterest(parts, viewer, query)
  const { cohort, cycle, counts, selection, isRounded, snapshot } = counted
  const asOf = stockholmDay(Date.parse(snapshot.fetchedAt))
  const today = epochDay(asOf)
  const cycleDay = today - dayZero(cohort, cycle)
  const thisYear = Number(asOf.slice(0, 4))
  const all = knownSchools(parts).filter(({ id }) => maySee(viewer, id))
  const schools = all.filter(({ id }) => selection.schools === null || selection.schools.has(id))
  const plausible = counts.years.map(({ year }) => year).filter((year) => isPlausibleYear(year, thisYear))
  const page = {
    cohort,
    cohorts: [...new Set([...plausible, thisYear, thisYear + 1, cohort])].toSorted((a, b) => a - b),
    asOf,
    snapshot,
    cycle,
    period: daysOf(selection),
    isRounded,
    chosen: selection.schools === null ? [] : schools.map(({ name }) => name),
    headline: headline(counts.years, cohort, cycle, isRounded ? endOfCycleWeek(cycleDay) : cycleDay),
    curves: cycleCurves(counts.years, cohort, cycle, today),
    grid: interestGrid(counts, schools, { thisYear, cohort }),
    weeks: shownWeeks(counts.weeks, { declarations: 0, questions: 0 }, selection, today),
    modes: counts.modes.map((mode) => ({ ...mode, share: mode.questions / counts.total.questions })),
    answers: await pageAnswers(parts, counted, { schools, today }),
  }
  return isRounded ? roundedPage(page) : page
}

type AnswersOn = { schools: readonly HighSchool[]; today: number }

async function pageAnswers(
  { work }: Pick<Parts, 'work'>,
  { answers, windows, selection }: CountedInterest,
  { schools, today }: AnswersOn,
): Promise<InterestPage['answers']> {
  const places = new Map(schools.map((school, place) => [school.id, { school, place }]))
  const placeOf = (id: string) => places.get(id)?.place ?? Infinity
  const { goals, work: ofWork } = await work.settings()
  const firstDay = ofWork?.from == null ? -Infinity : epochDay(ofWork.from)
  return {
    ...answers,
    bySchool: answers.bySchool
      .toSorted((a, b) => placeOf(a.highSchoolId) - placeOf(b.highSchoolId))
      .map(({ highSchoolId: id, ...figures }) => ({ ...figures, school: places.get(id)?.school ?? { id, name: id } })),
    weeks: shownWeeks(answers.weeks, NO_FIGURES, selection, today),
    goals,
    isOfCycle: selection.from === -Infinity && selection.to === Infinity,
    isBeforeWork: { now: windows.now.to < firstDay, before: windows.before.to < firstDay },
  }
}

const NO_FIGURES: AnswerFigures = { count: 0, counted: 0, withinGoal: null, medianMinutes: null, p90Minutes: null }

function daysOf({ from, to }: DayWindow): { from: string | null; to: string | null } {
  const textOf = (day: number) => (Number.isFinite(day) ? dayText(day) : null)
  return { from: textOf(from), to: textOf(to) }
}

export async function getInterest(parts: Parts, viewer: Reader, query: InterestQuery): Promise<Interest> {
  const counted = await countInterest(parts, viewer, query)
  const { cohort, cycle, counts, handled, answers, windows, isRounded, snapshot } = counted
  const { medianMinutes, p90Minutes } = handled
  const interest = {
    cohort,
    byYearAndSchool: counts.bySchool
      .toSorted((a, b) => (a.highSchoolId < b.highSchoolId ? -1 : 1))
      .flatMap(({ highSchoolId, years }) =>
        years
          .toSorted((a, b) => (a.year ?? Infinity) - (b.year ?? Infinity))
          .map((count) => ({ highSchoolId, ...count })),
      ),
    weeks: counts.weeks,
    curves: counts.years.map(({ year, declarations: of }) => ({ year, points: curveOf(of, dayZero(year, cycle)) })),
    handled: { medianMinutes, p90Minutes },
    answers: { ...daysOf(windows.now), ...answers, lastYear: { ...daysOf(windows.before), ...answers.lastYear } },
    snapshot,
  }
  return isRounded ? roundedInterest(interest, handled.count) : interest
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
  const isRounded = !may(viewer, 'leads:read')
  const requested = selectionOf(query)
  const selection = isRounded ? { ...requested, ...wholePeriod(requested) } : requested
  const today = epochDay(stockholmDay(parts.now()))
  const cohort = query.cohort ?? defaultCohort(dayText(today), cycle)
  const { before, ...otherWindows } = answerWindows(selection, { cohort, cycle, today })
  const windows = { ...otherWindows, before: isRounded ? wholePeriod(before) : before }
  const shown = (table: LeadTable) => tableFor(protections, viewer, table)
  const counted = interest({
    declarations: declarations.table,
    questions: questions.table,
    shown: { declarations: shown(declarations.table), questions: shown(questions.table) },
    reach: viewer.schools,
    selection,
    triage: { declarations: ofDeclarations[0], questions: ofQuestions[0], changes: triage.changes() },
    answers: { windows, goals: { declarations: ofDeclarations[1], questions: ofQuestions[1] }, today },
  })
  return {
    ...counted,
    cohort,
    cycle,
    /** Wider than asked for managers. */
    selection,
    /** Whether the caller must round; the numbers here are exact. */
    isRounded,
    windows,
    snapshot: snapshotFor(viewer, declarations.snapshot),
  }
}

function selectionOf({ school = [], from, to }: InterestQuery): InterestSelection {
  return {
    schools: school.length === 0 ? null : new Set(school),
    from: from === undefined ? -Infinity : epochDay(from),
    to: to === undefined ? Infinity : epochDay(to),
  }
}
