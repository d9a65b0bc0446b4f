import { groupBy } from '@/lib/group-by'
import { isoWeek } from '@/lib/time/weeks'
import {
  type AnswerFigures,
  type Answers,
  type AnswersAsked,
  type SchoolTallies,
  type Tally,
  talliesBySchool,
  timesTogether,
} from './answers'
import type { AnsweredLeads } from './first-answers'
import { LEAST_ANSWERED } from './small-groups'
import { leadsWithoutFew } from './time-to-answer'
import type { ToldLeads } from './told-leads'

/**
 * How leads were answered, for who may only count: shares in whole per cent and times, never how many. Made of schools and
 * admission years with eight or more each; a smaller one is in nothing. One to seven late ones, or ones in time, count as four.
 */
export function toldAnswersTo(
  leads: AnsweredLeads,
  asked: AnswersAsked,
  small: Pick<ToldLeads, 'few' | 'fewQuestions'>,
): Answers {
  const schools = [...talliesBySchool(leadsWithoutFew(leads, small), asked)]
  const now = schools.map(([highSchoolId, tallies]) => ({ highSchoolId, tally: toldTally(tallies.now) }))
  return {
    ...figuresOf(now.map(({ tally }) => tally)),
    bySchool: now
      .filter(({ tally }) => tally.counted + tally.minutes.length > 0)
      .map(({ highSchoolId, tally }) => ({ highSchoolId, ...figuresOf([tally]) })),
    weeks: toldWeeks(schools.map(([, tallies]) => tallies)),
    lastYear: figuresOf(schools.map(([, { before }]) => toldTally(before))),
  }
}

/** A group as it may be told: nothing of fewer than eight, and one to seven within it only as some. */
function toldTally({ minutes, counted, within }: Tally): Tally {
  const isTold = counted >= LEAST_ANSWERED
  return {
    minutes: minutes.length < LEAST_ANSWERED ? [] : minutes,
    counted: isTold ? counted : 0,
    within: isTold ? toldWithin(counted, within) : 0,
  }
}

function toldWithin(counted: number, within: number): number {
  const [isFewWithin, isFewLate] = [isFew(within), isFew(counted - within)]
  if (isFewWithin && isFewLate) return counted / 2
  if (isFewWithin) return SOME
  return isFewLate ? counted - SOME : within
}

/** What one to seven count for. */
const SOME = LEAST_ANSWERED / 2

function isFew(count: number): boolean {
  return count > 0 && count < LEAST_ANSWERED
}

function figuresOf(tallies: readonly Tally[]): AnswerFigures {
  const { count: _, ...times } = timesTogether(tallies)
  return { count: null, counted: null, withinGoal: shareOf(tallies), ...times }
}

function shareOf(tallies: readonly Pick<Tally, 'counted' | 'within'>[]): number | null {
  const counted = tallies.reduce((sum, tally) => sum + tally.counted, 0)
  const within = tallies.reduce((sum, tally) => sum + tally.within, 0)
  return counted === 0 ? null : Math.round((within / counted) * 100) / 100
}

/** A school's weeks are told together until eight have come, at most so many of them. */
const MOST_WEEKS = 4

/** Only the share within the goal: times of a week would be those of few. */
function toldWeeks(schools: readonly SchoolTallies[]): Answers['weeks'] {
  const parts = schools
    .flatMap(({ weeks }) => blocksOfWeeks(weeks))
    .flatMap(({ mondays, counted, within }) =>
      mondays.map((monday) => ({ monday, counted: counted / mondays.length, within: within / mondays.length })),
    )
  const weeks = groupBy(parts, ({ monday }) => monday)
  return [...weeks]
    .toSorted(([a], [b]) => a - b)
    .map(([monday, ofWeek]) => ({
      week: isoWeek(monday),
      count: null,
      counted: null,
      withinGoal: shareOf(ofWeek),
      medianMinutes: null,
      p90Minutes: null,
    }))
}

type WeeksBlock = { mondays: number[]; counted: number; within: number }

/** Weeks one after the other until eight are counted; a rest of fewer is in nothing until more have come. */
function blocksOfWeeks(weeks: ReadonlyMap<number, Tally>): WeeksBlock[] {
  const blocks: WeeksBlock[] = []
  let open: WeeksBlock = { mondays: [], counted: 0, within: 0 }
  for (const [monday, { counted, within }] of [...weeks].toSorted(([a], [b]) => a - b)) {
    if (counted === 0) continue
    open = {
      mondays: [...open.mondays, monday].slice(-MOST_WEEKS),
      counted: open.counted + counted,
      within: open.within + within,
    }
    if (open.counted < LEAST_ANSWERED) continue
    blocks.push({ ...open, within: toldWithin(open.counted, open.within) })
    open = { mondays: [], counted: 0, within: 0 }
  }
  return blocks
}
