import type { AnswerFigures, Count, Interest } from '@/lib/contract/interest'
import { sizeOf } from './axis'
import type { Spelling } from './seasons'

/* Numbers for managers, by the rule in `lib/contract/interest.ts`: counted exactly for all, and rounded last. */
export const ROUNDED_TO = 5
const MIN_PEOPLE_FOR_SHARE = 25
const MIN_PEOPLE_FOR_TIMES = 8

export function rounded(count: Count): Count {
  const isFew = count === '<5' || (count > 0 && count < ROUNDED_TO)
  return isFew ? '<5' : Math.round(count / ROUNDED_TO) * ROUNDED_TO
}

/** How the page of a manager is counted (`lib/interest/board.ts`). */
export const roundedSpelling: Spelling = { count: rounded, isWeekly: true }

/** By how much a count is more or less than the one before, 0.18 for 18 % more; null where either is of too few. */
export function changeOf(now: Count, before: Count): number | null {
  const [a, b] = [sizeOf(now), sizeOf(before)]
  return Math.min(a, b) < MIN_PEOPLE_FOR_SHARE ? null : Math.round((a / b - 1) * 100) / 100
}

function roundedShare(share: number | null, of: Count): number | null {
  return share === null || sizeOf(of) < MIN_PEOPLE_FOR_SHARE ? null : Math.round(share * 100) / 100
}

const [HOUR, DAY] = [60, 24 * 60]

/** In whole hours, from two days on in whole days, of so many answered leads. */
function roundedTime(minutes: number | null, of: Count): number | null {
  if (minutes === null || sizeOf(of) < MIN_PEOPLE_FOR_TIMES) return null
  const unit = minutes < 2 * DAY ? HOUR : DAY
  return Math.round(minutes / unit) * unit
}

export function endOfCycleWeek(cycleDay: number): number {
  return Math.ceil(cycleDay / 7) * 7 + 0
}

/** `answered`: how many leads `handled` is of. */
export function roundedInterest(exact: Interest, answered: number): Interest {
  const { handled, curves } = exact
  return {
    ...exact,
    byYearAndSchool: exact.byYearAndSchool.map(({ declarations, people, ...cell }) => ({
      ...cell,
      declarations: rounded(declarations),
      people: rounded(people),
    })),
    weeks: exact.weeks.map(roundedWeek),
    curves: curves.map(({ year, points }) => {
      const weeks = new Map(points.map(([day, sum]) => [endOfCycleWeek(day), rounded(sum)]))
      return { year, points: [...weeks] }
    }),
    handled: {
      medianMinutes: roundedTime(handled.medianMinutes, answered),
      p90Minutes: roundedTime(handled.p90Minutes, answered),
    },
    answers: roundedAnswers(exact.answers),
    roundedTo: ROUNDED_TO,
  }
}

function roundedWeek<W extends { declarations: Count; questions: Count }>(week: W): W {
  return { ...week, declarations: rounded(week.declarations), questions: rounded(week.questions) }
}

function roundedFigures<F extends AnswerFigures>(figures: F): F {
  const { count, counted, withinGoal, medianMinutes, p90Minutes } = figures
  return {
    ...figures,
    count: rounded(count),
    counted: rounded(counted),
    withinGoal: roundedShare(withinGoal, counted),
    medianMinutes: roundedTime(medianMinutes, count),
    p90Minutes: roundedTime(p90Minutes, count),
  }
}

type AnswerGroups = { bySchool: readonly AnswerFigures[]; weeks: readonly AnswerFigures[]; lastYear: AnswerFigures }

export function roundedAnswers<A extends AnswerFigures & AnswerGroups>(answers: A): A {
  return {
    ...roundedFigures(answers),
    bySchool: answers.bySchool.map(roundedFigures),
    weeks: answers.weeks.map(roundedFigures),
    lastYear: roundedFigures(answers.lastYear),
  }
}
