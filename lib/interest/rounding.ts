import type { AnswerFigures, Count, Interest } from '@/lib/contract/interest'
import { dayText } from '@/lib/time/stockholm'
import { mondayOf } from '@/lib/time/weeks'
import { sizeOf } from './axis'
import type { DayWindow } from './cohort'
import type { CycleCurves, Headline } from './cohort-curves'
import { inUnits, type InUnits, type Unit } from './interest-counts'
import type { GridRow } from './interest-grid'
import type { InterestPage } from './interest-page'

/* Numbers for managers, by the rule in `lib/contract/interest.ts`: counted exactly for all, and rounded last. */
export const ROUNDED_TO = 5
const MIN_PEOPLE_FOR_SHARE = 25
const MIN_PEOPLE_FOR_TIMES = 8

export function rounded(count: Count): Count {
  const isFew = count === '<5' || (count > 0 && count < ROUNDED_TO)
  return isFew ? '<5' : Math.round(count / ROUNDED_TO) * ROUNDED_TO
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

/** A period as it is counted: in whole ISO weeks, unless it is of whole calendar months. An open end stays open. */
export function wholePeriod({ from, to }: DayWindow): DayWindow {
  if (beginsMonth(from) && beginsMonth(to + 1)) return { from, to }
  return {
    from: Number.isFinite(from) ? mondayOf(from) : from,
    to: Number.isFinite(to) ? mondayOf(to) + 6 : to,
  }
}

function beginsMonth(day: number): boolean {
  return !Number.isFinite(day) || dayText(day).endsWith('-01')
}

export function endOfCycleWeek(cycleDay: number): number {
  return Math.ceil(cycleDay / 7) * 7 + 0
}

/** `answered`: how many leads `handled` is of. */
export function roundedInterest(exact: Interest, answered: number): Interest {
  const { handled, curves } = exact
  return {
    ...exact,
    byYearAndSchool: exact.byYearAndSchool.map((cell) => ({ ...cell, ...roundedUnits(cell) })),
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

export function roundedPage(exact: InterestPage): InterestPage {
  const { headline, curves, grid, weeks, modes, answers } = exact
  return {
    ...exact,
    isRounded: true,
    headline: roundedHeadline(headline),
    curves: curvesInWeeks(curves),
    grid: { ...grid, schools: grid.schools.map(roundedRow), total: roundedRow(grid.total) },
    weeks: weeks.map(roundedWeek),
    modes: modes.map(({ mode, questions, share }) => {
      const count = rounded(questions)
      return { mode, questions: count, share: count === '<5' ? null : roundedShare(share, grid.total.questions) }
    }),
    answers: roundedAnswers(answers),
  }
}

function roundedUnits(counts: InUnits<Count>): InUnits<Count> {
  return inUnits((unit) => rounded(counts[unit]))
}

function roundedWeek<W extends { declarations: Count; questions: Count }>(week: W): W {
  return { ...week, declarations: rounded(week.declarations), questions: rounded(week.questions) }
}

function roundedRow<R extends GridRow>(row: R): R {
  const { cells, other, total, questions } = row
  return {
    ...row,
    cells: cells.map(roundedUnits),
    other: roundedUnits(other),
    total: roundedUnits(total),
    questions: rounded(questions),
  }
}

function roundedHeadline({ now, before, beforeInAll, change, perPerson }: Headline): Headline {
  const changeOf = (unit: Unit) => roundedShare(change[unit], Math.min(sizeOf(now[unit]), sizeOf(before?.[unit] ?? 0)))
  return {
    now: roundedUnits(now),
    before: before && roundedUnits(before),
    beforeInAll: beforeInAll && roundedUnits(beforeInAll),
    change: inUnits(changeOf),
    perPerson: perPerson === null || sizeOf(now.people) < MIN_PEOPLE_FOR_SHARE ? null : Math.round(perPerson * 10) / 10,
  }
}

/** A point for each week of the cycle; the one under way ends with what has come. */
function curvesInWeeks({ days, cohorts, ...rest }: CycleCurves): CycleCurves {
  const ends = days.flatMap((day, place) => (day % 7 === 0 ? [{ day, place }] : []))
  const ofWeeks = (values: readonly Count[]) =>
    ends
      .filter(({ place }) => values.length > 0 && place < values.length + 6)
      .map(({ place }) => rounded(values[Math.min(place, values.length - 1)] ?? 0))
  return {
    ...rest,
    days: ends.map(({ day }) => day),
    cohorts: cohorts.map(({ year, ...values }) => ({ year, ...inUnits((unit) => ofWeeks(values[unit])) })),
  }
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

function roundedAnswers<A extends AnswerFigures & AnswerGroups>(answers: A): A {
  return {
    ...roundedFigures(answers),
    bySchool: answers.bySchool.map(roundedFigures),
    weeks: answers.weeks.map(roundedFigures),
    lastYear: roundedFigures(answers.lastYear),
  }
}
