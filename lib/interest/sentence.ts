import type { useTranslations } from 'next-intl'
import type { Count } from '@/lib/contract/interest'
import type { HighSchool } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import type { Locale } from '@/lib/i18n/locale'
import { formatEpochDay } from '@/lib/time/format-date'
import type { Board } from './board'
import { type BoardRow, GOAL_SHARE, isGoalMissed, isJudged, toDirection } from './board-rows'
import { toCohortEpochDay } from './cohort'
import { FORECAST_CONFIDENCE } from './forecast'
import { createFigureFormatters, describeComparison, type FigureFormat, type InterestPage } from './interest-page'
import { estimateCount } from './rounding'

/** A message of `interest.sentence` with its values; without a school it is about all together. */
export type Clause = {
  message:
    | `total.${'none' | 'alone' | 'up' | 'down' | 'level'}`
    | `misses${'' | 'Many'}`
    | 'falls'
    | 'inTime'
    | `basis.${'change' | 'ends' | 'goal' | 'target'}`
  school?: HighSchool
  count?: Count
  /** Both are shares: the change from the year before, and what was answered within the goal. */
  change?: number
  goal?: number
  /** The forecast lies between these. */
  low?: number
  high?: number
}

/** Says how many declarations there are, and what matters most of answers or schools, as far as numbers prove it. */
export function composeSentence({ total, schools }: Board): { headline: Clause[]; basis: Clause[] } {
  const { change, forecast, withinGoal } = total
  const rows = schools.length > 1 ? schools : []
  const missedGoals = rows
    .filter(isJudged)
    .flatMap(({ school, withinGoal: goal }) => (isGoalMissed(goal) ? [{ school, goal }] : []))
    .toSorted((a, b) => a.goal - b.goal)
  const [worst] = missedGoals
  const [deepestFall] = rows
    .flatMap(({ school, change: schoolChange }) =>
      schoolChange !== null && toDirection(schoolChange) === 'down' ? [{ school, change: schoolChange }] : [],
    )
    .toSorted((a, b) => a.change - b.change)
  const answeredShare = withinGoal !== null && isJudged(total) ? withinGoal : null
  const basis: Clause[] = []
  if (change !== null) basis.push({ message: 'basis.change', change })
  if (forecast) basis.push({ message: 'basis.ends', low: forecast.low, high: forecast.high })
  const headline: Clause[] = [{ message: `total.${nameTotal(total)}`, count: total.countSoFar }]
  if (worst) {
    const message = missedGoals.length > 1 ? 'missesMany' : 'misses'
    headline.push({ message, school: worst.school, count: missedGoals.length })
    basis.push({ message: 'basis.goal', ...worst })
  } else if (deepestFall && !isGoalMissed(answeredShare)) {
    headline.push({ message: 'falls', ...deepestFall })
  } else if (answeredShare !== null) {
    headline.push({ message: 'inTime', goal: answeredShare })
    basis.push({ message: 'basis.target' })
  }
  return { headline, basis }
}

function nameTotal({ countSoFar, change }: BoardRow) {
  if (countSoFar === 0) return 'none'
  return change === null ? 'alone' : toDirection(change)
}

type Translate = ReturnType<typeof useTranslations<'interest.sentence'>>
type ClauseContext = { t: Translate; few: string; format: FigureFormat; locale: Locale }

/** Returns a function that makes the values of a clause's message in the reader's language. */
export function createClauseValues(page: InterestPage, { t, few, format, locale }: ClauseContext) {
  const { isLastYear, isOver } = describeComparison(page)
  const { spellCount, formatSignedShare, formatShare } = createFigureFormatters(format, few)
  const goalKinds = LEAD_KINDS.filter((kind) => page.goals[kind] !== null)
  const onlyKind = goalKinds.length === 1 ? goalKinds[0] : undefined
  const before = isLastYear ? 'lastYear' : 'yearBefore'
  return ({ message, count = 0, change = 0, goal = 0, low = 0, high = 0, school }: Clause) => ({
    n: estimateCount(count),
    count: spellCount(count),
    year: String(page.cohort),
    share: formatSignedShare(change),
    before: t(`${message === 'basis.change' && !isOver ? 'sameTime' : 'before'}.${before}`),
    low,
    high,
    end: formatEpochDay(toCohortEpochDay(page.cohort, page.cycle.reservesEnd), 'dayMonth', locale),
    likely: formatShare(FORECAST_CONFIDENCE),
    leads: t(`of.${onlyKind ?? 'both'}`),
    target: formatShare(GOAL_SHARE),
    goal: formatShare(goal),
    school: school?.name ?? '',
  })
}
