import type { useTranslations } from 'next-intl'
import type { Count } from '@/lib/contract/interest'
import type { HighSchool } from '@/lib/contract/lead'
import type { Locale } from '@/lib/i18n/locale'
import { dayAndLongMonth } from '@/lib/time/format-date'
import { sizeOf } from './axis'
import { type Board, type BoardRow, directionOf, type SchoolOnBoard } from './board'
import { cycleDate } from './cohort'
import { comparedYear, type FigureFormat, figureWords } from './figure-words'
import { LIKELY } from './forecast'
import type { InterestPage } from './interest-page'

/** Nine of ten within the goal; below it, the goal is missed. */
export const GOAL_SHARE = 0.9
/** A goal that fewer missed is in the table, not in the sentence. */
const LEAST_JUDGED = 25
/** A message of `interest.sentence`, and what it says of whom; of no school where it is of all together. */
export type Clause = {
  message:
    | `total.${'none' | 'alone' | 'inAll' | 'up' | 'down' | 'about'}`
    | `rises${'Most' | ''}`
    | `falls${'Most' | ''}${'AndMisses' | ''}`
    | `ends${'Alone' | ''}`
    | 'misses'
    | 'missesInAll'
  school?: HighSchool
  count?: Count
  by?: number
  /** The share that was answered within the goal; `total`, of all schools. */
  goal?: number
  total?: number
  /** The forecast; `count` is where the year before ended. */
  low?: number
  high?: number
}

/**
 * What is worth saying, in the order in which it is said: how many, where the year ends, what rises and falls most,
 * and where the goal is missed most. Of the numbers as they are shown, and nothing that they do not carry.
 */
export function sentence({ all, schools, curves }: Board): Clause[] {
  const rows = schools.length > 1 ? schools : []
  const [best, worst] = [mostMoved(rows, 'up'), mostMoved(rows, 'down')]
  const missed = rows
    .flatMap((row) => (isJudged(row) && isMissed(row.withinGoal) ? [{ school: row.school, goal: row.withinGoal }] : []))
    .toSorted((a, b) => a.goal - b.goal)
  // Where all are as bad, none is named for it.
  if (missed.length > 1 && rows.every(({ withinGoal }) => withinGoal === missed[0]?.goal)) missed.length = 0
  const ofWorst = missed.find(({ school }) => school.id === worst?.school.id)
  const isMissedInAll = missed.length === 0 && isMissed(all.withinGoal) && isJudged(all)
  const falls = `falls${worst?.most ?? ''}${ofWorst ? 'AndMisses' : ''}` as const
  const { change: by, beforeInAll: before, forecast } = all
  const range = forecast && forecast.low !== forecast.high && { low: forecast.low, high: forecast.high }
  const isOver = curves.today > (curves.days.at(-1) ?? 0)
  const direction = directionOf(by)
  const alone = isOver ? 'inAll' : 'alone'
  const total = all.now === 0 ? 'none' : by === null ? alone : direction === 'level' ? 'about' : direction
  return [
    { message: `total.${total}`, count: all.now, ...(by !== null && { by }) },
    ...(range && before !== null ? [{ message: 'ends' as const, ...range, count: before }] : []),
    ...(range && before === null ? [{ message: 'endsAlone' as const, ...range }] : []),
    ...(best ? [{ message: `rises${best.most}` as const, school: best.school, by: best.by }] : []),
    ...(worst ? [{ message: falls, school: worst.school, by: worst.by, ...(ofWorst && { goal: ofWorst.goal }) }] : []),
    ...(missed[0] && !ofWorst ? [{ message: 'misses' as const, ...missed[0], total: all.withinGoal ?? 0 }] : []),
    ...(isMissedInAll ? [{ message: 'missesInAll' as const, goal: all.withinGoal ?? 0 }] : []),
  ]
}

type Translate = ReturnType<typeof useTranslations<'interest.sentence'>>
type Words = { t: Translate; few: string; format: FigureFormat; locale: Locale }

/** What a clause's message is filled with, in the reader's language. */
export function clauseValues(page: InterestPage, { t, few, format, locale }: Words) {
  const { isLastYear, isOver } = comparedYear(page)
  const { say, signedShare, share } = figureWords(format, few)
  const { 'asked-question': ofQuestions, 'declaration-of-interest': ofDeclarations } = page.goals
  const of = ofDeclarations === null ? 'asked-question' : ofQuestions === null ? 'declaration-of-interest' : 'both'
  const days = of === 'both' ? null : page.goals[of]
  const ended = isLastYear ? 'ended' : 'inAll'
  const end = dayAndLongMonth(cycleDate(page.cohort, page.cycle.reservesEnd), locale)
  const inWords: Readonly<Record<number, string>> = { 50: t('half'), 33: t('third') }
  return ({ message, count = 0, by = 0, goal = 0, total = 0, low = 0, high = 0, school }: Clause) => ({
    n: sizeOf(count),
    count: say(count),
    year: String(page.cohort),
    share: signedShare(by),
    before: t(`before.${message === 'ends' ? ended : isOver ? 'inAll' : isLastYear ? 'lastYear' : 'yearBefore'}`),
    low,
    high,
    end,
    likely: share(LIKELY),
    of: t(`of.${of}`),
    target: days === null ? share(GOAL_SHARE) : t('target', { share: share(GOAL_SHARE), days }),
    total: share(total),
    goal: inWords[Math.round(goal * 100)] ?? share(goal),
    school: school?.name ?? '',
  })
}

const isJudged = ({ judged }: BoardRow) => sizeOf(judged) >= LEAST_JUDGED

export function isMissed(share: number | null): share is number {
  return share !== null && share < GOAL_SHARE
}

/** `Most` where no other school shows as much. */
function mostMoved(rows: readonly SchoolOnBoard[], direction: 'up' | 'down') {
  const sign = direction === 'up' ? 1 : -1
  const [first, second] = rows
    .flatMap(({ school, change }) => (change === null ? [] : [{ school, by: change }]))
    .toSorted((a, b) => sign * (b.by - a.by))
  if (first === undefined || directionOf(first.by) !== direction) return undefined
  const isMost = second !== undefined && second.by !== first.by
  return { ...first, most: isMost ? ('Most' as const) : ('' as const) }
}
