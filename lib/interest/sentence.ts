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

/** A message of `interest.sentence` with its values; without a school it speaks of all together. */
export type Clause = {
  message:
    | `total.${'none' | 'alone' | 'inAll' | 'up' | 'down' | 'about'}`
    | `misses${'' | 'Many'}`
    | `falls${'' | 'Most'}`
    | 'inTime'
    | `basis.${'change' | 'ends' | 'goal' | 'target' | 'rush'}`
  school?: HighSchool
  count?: Count
  /** The change from the year before is a share. */
  change?: number
  /** This share was answered within the goal. */
  goal?: number
  /** The forecast lies between these. */
  low?: number
  high?: number
  /** The day is counted from the day zero of the cycle. */
  day?: number
}

/**
 * Says how many there are, what matters most of the answers or the schools, and what that rests on. It speaks of numbers as they
 * are shown, and of nothing that they do not prove.
 */
export function sentence({ all, schools, curves }: Board): { headline: Clause[]; basis: Clause[] } {
  const { change, forecast, withinGoal } = all
  const rows = schools.length > 1 ? schools : []
  const missing = rows
    .flatMap((row) => (isJudged(row) && isMissed(row.withinGoal) ? [{ school: row.school, goal: row.withinGoal }] : []))
    .toSorted((a, b) => a.goal - b.goal)
  // Where all schools are equally late, none is named.
  const isSame = missing.length > 1 && rows.every((row) => row.withinGoal === missing[0]?.goal)
  const [late] = isSame ? [] : missing
  const [lowest, next] = rows
    .flatMap(({ school, change: ofSchool }) =>
      ofSchool !== null && directionOf(ofSchool) === 'down' ? [{ school, change: ofSchool }] : [],
    )
    .toSorted((a, b) => a.change - b.change)
  const answered = withinGoal !== null && isJudged(all) ? withinGoal : null
  const isOver = curves.today > (curves.days.at(-1) ?? 0)
  const direction = directionOf(change)
  const alone = isOver ? 'inAll' : 'alone'
  const total = all.now === 0 ? 'none' : change === null ? alone : direction === 'level' ? 'about' : direction
  const basis: Clause[] = []
  if (all.now !== 0 && change !== null) basis.push({ message: 'basis.change', change })
  if (forecast && forecast.low !== forecast.high)
    basis.push({ message: 'basis.ends', low: forecast.low, high: forecast.high })
  const day = isOver ? null : rushOf(curves)
  if (day !== null) basis.push({ message: 'basis.rush', day })
  const headline: Clause[] = [{ message: `total.${total}`, count: all.now }]
  if (late) {
    headline.push({ message: missing.length > 1 ? 'missesMany' : 'misses', school: late.school, count: missing.length })
    basis.push({ message: 'basis.goal', ...late })
  } else if (lowest && !isMissed(answered)) {
    headline.push({ message: lowest.change === next?.change ? 'falls' : 'fallsMost', ...lowest })
  } else if (answered !== null) {
    headline.push({ message: 'inTime', goal: answered })
    basis.push({ message: 'basis.target' })
  }
  return { headline, basis }
}

/** The last day of the week in which most came the year before; it is null where no week stands out, or it has passed this year. */
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

/** A week with fewer declarations is no rush. */
const LEAST_IN_RUSH = 25

type Translate = ReturnType<typeof useTranslations<'interest.sentence'>>
type Words = { t: Translate; few: string; format: FigureFormat; locale: Locale }

/** The values of a clause's message in the reader's language. */
export function clauseValues(page: InterestPage, { t, few, format, locale }: Words) {
  const { isLastYear, isOver } = comparedYear(page)
  const { say, signedShare, share } = figureWords(format, few)
  const { 'asked-question': ofQuestions, 'declaration-of-interest': ofDeclarations } = page.goals
  const of = ofDeclarations === null ? 'asked-question' : ofQuestions === null ? 'declaration-of-interest' : 'both'
  const before = isLastYear ? 'lastYear' : 'yearBefore'
  return ({ message, count = 0, change = 0, goal = 0, low = 0, high = 0, day = 0, school }: Clause) => ({
    n: sizeOf(count),
    count: say(count),
    year: String(page.cohort),
    share: signedShare(change),
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
