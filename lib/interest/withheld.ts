import type { InterestQuery } from '@/lib/contract/interest'
import { mondayOf } from '@/lib/time/weeks'
import type { CycleCurves, Headline } from './cohort-curves'
import type { Count, InterestCounts, InterestSelection, InUnits } from './interest-counts'
import type { HandlingTimes, TimeToHandled } from './time-to-handled'

/** Groups smaller than this are not told exactly. */
export const LEAST_GROUP = 5 as const

/** A number that stands for 1 to 4; an exact 4 is told as this too, so in withheld counts it means nothing else. */
export const FEW = LEAST_GROUP - 1

/**
 * The counts without small groups. Sums with such a group in them are made of what is told, so that no hidden number is
 * found by subtraction; people, who may be in several schools and so cannot be summed, are rounded up to a multiple of
 * five. The curves are left alone.
 */
export function withoutSmallGroups(counts: InterestCounts): InterestCounts {
  const cells = counts.cells.map((cell) => ({ ...cell, ...withoutFew(cell) }))
  const ofSchool = Map.groupBy(cells, ({ highSchoolId }) => highSchoolId)
  const ofYear = Map.groupBy(cells, ({ year }) => year)
  const bySchool = counts.bySchool.map(({ highSchoolId, people, questions }) => ({
    highSchoolId,
    ...sumOfCells(ofSchool.get(highSchoolId) ?? [], people),
    questions: withheldCount(questions),
  }))
  const questions = bySchool.map((school) => school.questions)
  return {
    ...counts,
    cells,
    bySchool,
    byYear: counts.byYear.map(({ year, people }) => ({ year, ...sumOfCells(ofYear.get(year) ?? [], people) })),
    total: {
      ...sumOfCells(cells, counts.total.people),
      questions: sumOf(questions),
      ...(questions.includes(FEW) && { areQuestionsAbout: true }),
    },
    weeks: counts.weeks.map((week) => ({
      ...week,
      declarations: withheldCount(week.declarations),
      questions: withheldCount(week.questions),
    })),
    modes: counts.modes.map(({ mode, questions: asked }) => ({ mode, questions: withheldCount(asked) })),
  }
}

/** `people`: those of the cells together, each once. */
function sumOfCells(cells: readonly (Count & { highSchoolId: string })[], people: number): Count {
  const declarations = sumOf(cells.map((cell) => cell.declarations))
  if (cells.every(({ isAbout }) => isAbout === undefined)) return { declarations, people }
  const isOneSchool = new Set(cells.map(({ highSchoolId }) => highSchoolId)).size === 1
  const about = isOneSchool ? sumOf(cells.map((cell) => cell.people)) : roundedUp(people)
  return { declarations, people: about, isAbout: true }
}

/** A number in either unit, as it may be told. */
function withoutFew({ declarations, people }: InUnits): Count {
  const told = { declarations: withheldCount(declarations), people: withheldCount(people) }
  return told.declarations === FEW || told.people === FEW ? { ...told, isAbout: true } : told
}

export function withheldHeadline({ cycleDay, now, before, beforeInAll }: Headline): Headline {
  return {
    cycleDay,
    now: withoutFew(now),
    before: before && withoutFew(before),
    beforeInAll: beforeInAll && withoutFew(beforeInAll),
  }
}

/** A period in whole weeks: two that differ by a day could be subtracted from each other. */
export function inWholeWeeks({ schools, from, to }: InterestSelection): InterestSelection {
  return {
    schools,
    from: Number.isFinite(from) ? mondayOf(from) : from,
    to: Number.isFinite(to) ? mondayOf(to) + 6 : to,
  }
}

/** Whether a filter narrows by days, so that its numbers are to be withheld. */
export function isPeriod({ from, to }: Pick<InterestQuery, 'from' | 'to'>): boolean {
  return from !== undefined || to !== undefined
}

/** The curves of few schools: a line that rises by one tells of one person, and on which day. */
export function steppedCurves(curves: CycleCurves): CycleCurves {
  const cohorts = curves.cohorts.map(({ year, declarations, people }) => ({
    year,
    declarations: inSteps(declarations),
    people: inSteps(people),
  }))
  return { ...curves, cohorts }
}

/** Cumulative numbers that stay until five more have come, so that no step is by few. */
function inSteps(cumulative: readonly number[]): number[] {
  let told = 0
  return cumulative.map((value) => {
    if (value - told >= LEAST_GROUP) told = value
    return told
  })
}

export function withheldTimeToHandled({ bySchool, ...all }: TimeToHandled): TimeToHandled {
  return { ...withheldTimes(all), bySchool: bySchool.map((times) => ({ ...times, ...withheldTimes(times) })) }
}

function withheldTimes({ count, medianMinutes, p90Minutes }: HandlingTimes): HandlingTimes {
  const isSmall = count > 0 && count < LEAST_GROUP
  return isSmall ? { count: FEW, medianMinutes: null, p90Minutes: null } : { count, medianMinutes, p90Minutes }
}

function withheldCount(count: number): number {
  return count > 0 && count < LEAST_GROUP ? FEW : count
}

/** What a withheld number counts for in a sum. Small groups are mostly of one, two or three. */
const FEW_IN_SUM = 2

function sumOf(told: readonly number[]): number {
  return told.reduce((sum, count) => sum + (count === FEW ? FEW_IN_SUM : count), 0)
}

function roundedUp(people: number): number {
  return Math.ceil(people / LEAST_GROUP) * LEAST_GROUP
}
