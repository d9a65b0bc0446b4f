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
import { createFigureFormatters, type FigureFormat } from './figure-formatters'
import { describeComparison, type InterestPage } from './interest-page'
import { estimateCount } from './rounding'

/** A message of `interest.sentence` with its values. Without a school it is about all of them together. */
export type Clause = {
  message:
    | `total.${'none' | 'alone' | 'up' | 'down' | 'level'}`
    | `misses${'' | 'Many'}`
    | 'falls'
    | 'inTime'
    | `basis.${'change' | 'ends' | 'goal' | 'target'}`
  school?: HighSchool
  count?: Count
  /** The change from the year before, as a share. */
  change?: number
  /** The share of leads that were answered within the goal. */
  withinGoalShare?: number
  /** The ends of the forecast. */
  low?: number
  high?: number
}

/** Says how many declarations there are, and what matters most: missed goals, else a fall, else the answers in time. */
export function composeSentence({ total, schools }: Board): { headline: Clause[]; basis: Clause[] } {
  const { change, forecast, withinGoalShare } = total
  const rows = schools.length > 1 ? schools : []
  const missedGoals = rows
    .filter(isJudged)
    .flatMap(({ school, withinGoalShare: share }) => (isGoalMissed(share) ? [{ school, withinGoalShare: share }] : []))
    .toSorted((a, b) => a.withinGoalShare - b.withinGoalShare)
  const [worst] = missedGoals
  const [deepestFall] = rows
    .flatMap(({ school, change: schoolChange }) =>
      schoolChange !== null && toDirection(schoolChange) === 'down' ? [{ school, change: schoolChange }] : [],
    )
    .toSorted((a, b) => a.change - b.change)
  const totalShare = isJudged(total) ? withinGoalShare : null
  const basis: Clause[] = []
  if (change !== null) basis.push({ message: 'basis.change', change })
  if (forecast) basis.push({ message: 'basis.ends', low: forecast.low, high: forecast.high })
  const headline: Clause[] = [{ message: `total.${chooseTotalMessage(total)}`, count: total.countSoFar }]
  if (worst) {
    const message = missedGoals.length > 1 ? 'missesMany' : 'misses'
    headline.push({ message, school: worst.school, count: missedGoals.length })
    basis.push({ message: 'basis.goal', ...worst })
  } else if (deepestFall && !isGoalMissed(totalShare)) {
    headline.push({ message: 'falls', ...deepestFall })
  } else if (totalShare !== null) {
    headline.push({ message: 'inTime', withinGoalShare: totalShare })
    basis.push({ message: 'basis.target' })
  }
  return { headline, basis }
}

function chooseTotalMessage({ countSoFar, change }: BoardRow) {
  if (countSoFar === 0) return 'none'
  return change === null ? 'alone' : toDirection(change)
}

type Translate = ReturnType<typeof useTranslations<'interest.sentence'>>
type ClauseContext = { t: Translate; fewText: string; format: FigureFormat; locale: Locale }

/** Returns a function that formats the values of a clause's message for the reader's language. */
export function createClauseValues(page: InterestPage, { t, fewText, format, locale }: ClauseContext) {
  const { isLastYear, isOver } = describeComparison(page)
  const { spellCount, formatSignedShare, formatShare } = createFigureFormatters(format, fewText)
  const goalKinds = LEAD_KINDS.filter((kind) => page.goals[kind] !== null)
  const onlyKind = goalKinds.length === 1 ? goalKinds[0] : undefined
  const before = isLastYear ? 'lastYear' : 'yearBefore'
  return ({ message, count = 0, change = 0, withinGoalShare = 0, low = 0, high = 0, school }: Clause) => ({
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
    goal: formatShare(withinGoalShare),
    school: school?.name ?? '',
  })
}
