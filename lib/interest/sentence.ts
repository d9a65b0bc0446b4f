import type { useTranslations } from 'next-intl'
import type { Count } from '@/lib/contract/interest'
import type { HighSchool } from '@/lib/contract/lead'
import type { Locale } from '@/lib/i18n/locale'
import { dayAndLongMonth } from '@/lib/time/format-date'
import { sizeOf } from './axis'
import { type Board, type BoardCurves, directionOf, GOAL_SHARE, isJudged, isMissed } from './board'
import { cycleDate, dayZero } from './cohort'
import { LIKELY } from './forecast'
import { comparedYear, type FigureFormat, figureWords, type InterestPage } from './interest-page'

/** A message of `interest.sentence`, and what it says of whom; of no school where it is of all together. */
export type Clause = {
  message:
    | `total.${'none' | 'alone' | 'inAll' | 'up' | 'down' | 'about'}`
    | `misses${'' | 'Many'}`
    | `falls${'' | 'Most'}`
    | 'inTime'
    | `basis.${'change' | 'ends' | 'goal' | 'target' | 'rush'}`
  school?: HighSchool
  count?: Count
  by?: number
  /** The share that was answered within the goal. */
  goal?: number
  /** The forecast. */
  low?: number
  high?: number
  /** Of the cycle. */
  day?: number
}

/**
 * What is worth saying: how many, and what matters most of the answers or the schools; and what that rests on. Of the numbers
 * as they are shown, and nothing that they do not carry.
 */
export function sentence({ all, schools, curves }: Board): { headline: Clause[]; basis: Clause[] } {
  const { change: by, forecast, withinGoal } = all
  const rows = schools.length > 1 ? schools : []
  const missing = rows
    .flatMap((row) => (isJudged(row) && isMissed(row.withinGoal) ? [{ school: row.school, goal: row.withinGoal }] : []))
    .toSorted((a, b) => a.goal - b.goal)
  // Where all are as bad, none is named for it.
  const isSame = missing.length > 1 && rows.every((row) => row.withinGoal === missing[0]?.goal)
  const [late] = isSame ? [] : missing
  const [lowest, next] = rows
    .flatMap(({ school, change }) =>
      directionOf(change) === 'down' && change !== null ? [{ school, by: change }] : [],
    )
    .toSorted((a, b) => a.by - b.by)
  const answered = withinGoal !== null && isJudged(all) ? withinGoal : null
  const isOver = curves.today > (curves.days.at(-1) ?? 0)
  const direction = directionOf(by)
  const alone = isOver ? 'inAll' : 'alone'
  const total = all.now === 0 ? 'none' : by === null ? alone : direction === 'level' ? 'about' : direction
  const basis: Clause[] = []
  if (all.now !== 0 && by !== null) basis.push({ message: 'basis.change', by })
  if (forecast && forecast.low !== forecast.high)
    basis.push({ message: 'basis.ends', low: forecast.low, high: forecast.high })
  const day = isOver ? null : rushOf(curves)
  if (day !== null) basis.push({ message: 'basis.rush', day })
  const headline: Clause[] = [{ message: `total.${total}`, count: all.now }]
  if (late) {
    headline.push({ message: missing.length > 1 ? 'missesMany' : 'misses', school: late.school, count: missing.length })
    basis.push({ message: 'basis.goal', ...late })
  } else if (lowest && !isMissed(answered)) {
    headline.push({ message: lowest.by === next?.by ? 'falls' : 'fallsMost', ...lowest })
  } else if (answered !== null) {
    headline.push({ message: 'inTime', goal: answered })
    basis.push({ message: 'basis.target' })
  }
  return { headline, basis }
}

/** The last day of the week in which most came the year before; null where none stands out, or it has passed this year. */
function rushOf({ days, today, cohorts: [own, ...earlier] }: BoardCurves): number | null {
  const counts = earlier.find(({ year }) => year + 1 === own?.year)?.counts.map(sizeOf) ?? []
  if (counts.length < days.length) return null
  const ends = days.flatMap((day, place) => (day % 7 === 0 ? [{ day, count: counts[place] ?? 0 }] : []))
  const [most, second] = ends
    .flatMap(({ day, count }, week) => (week === 0 ? [] : [{ day, came: count - (ends[week - 1]?.count ?? 0) }]))
    .toSorted((a, b) => b.came - a.came)
  if (most === undefined || most.came < LEAST_IN_RUSH || most.came === second?.came) return null
  return most.day > today ? most.day : null
}

/** Fewer in a week are no rush. */
const LEAST_IN_RUSH = 25

type Translate = ReturnType<typeof useTranslations<'interest.sentence'>>
type Words = { t: Translate; few: string; format: FigureFormat; locale: Locale }

/** What a clause's message is filled with, in the reader's language. */
export function clauseValues(page: InterestPage, { t, few, format, locale }: Words) {
  const { isLastYear, isOver } = comparedYear(page)
  const { say, signedShare, share } = figureWords(format, few)
  const { 'asked-question': ofQuestions, 'declaration-of-interest': ofDeclarations } = page.goals
  const of = ofDeclarations === null ? 'asked-question' : ofQuestions === null ? 'declaration-of-interest' : 'both'
  const before = isLastYear ? 'lastYear' : 'yearBefore'
  return ({ message, count = 0, by = 0, goal = 0, low = 0, high = 0, day = 0, school }: Clause) => ({
    n: sizeOf(count),
    count: say(count),
    year: String(page.cohort),
    share: signedShare(by),
    before: t(`${message === 'basis.change' && !isOver ? 'sameTime' : 'before'}.${before}`),
    low,
    high,
    end: dayAndLongMonth(cycleDate(page.cohort, page.cycle.reservesEnd), locale),
    day: dayAndLongMonth(dayZero(page.cohort - 1, page.cycle) + day, locale),
    likely: share(LIKELY),
    of: t(`of.${of}`),
    target: share(GOAL_SHARE),
    goal: share(goal),
    school: school?.name ?? '',
  })
}
