import type { useTranslations } from 'next-intl'
import type { Count } from '@/lib/contract/interest'
import type { HighSchool } from '@/lib/contract/lead'
import { sizeOf } from './axis'
import type { Board, BoardRow, SchoolOnBoard } from './board'
import { comparedYear, type FigureFormat, figureWords } from './figure-words'
import type { InterestPage } from './interest-page'

/** Nine of ten within the goal; below it, the goal is missed. */
export const GOAL_SHARE = 0.9
/** A goal that fewer missed is in the table, not in the sentence. */
const LEAST_JUDGED = 25
/** Up to so much more or less, a year is about as the one before. */
const ABOUT_AS = 0.05

/** A message of `interest.sentence`, and what it says of whom; of no school where it is of all together. */
export type Clause = {
  message:
    | `total.${'none' | 'alone' | 'inAll' | 'up' | 'down' | 'about' | 'within-chance'}`
    | `rises${'Most' | ''}`
    | `falls${'Most' | ''}${'AndMisses' | ''}`
    | 'record'
    | 'misses'
    | 'missesInAll'
  school?: HighSchool
  count?: Count
  by?: number
  /** The share that was answered within the goal. */
  goal?: number
  years?: readonly number[]
}

/**
 * What is worth saying, in the order in which it is said: how many, what rises and falls most beyond chance, and where
 * the goal is missed most. Of the numbers as they are shown, and nothing that they do not carry.
 */
export function sentence({ all, schools, recordOf, curves }: Board): Clause[] {
  const rows = schools.length > 1 ? schools : []
  const [best, worst] = [mostMoved(rows, 'up'), mostMoved(rows, 'down')]
  const missed = rows
    .flatMap(({ school, withinGoal, judged }) =>
      isMissed(withinGoal) && sizeOf(judged) >= LEAST_JUDGED ? [{ school, goal: withinGoal }] : [],
    )
    .toSorted((a, b) => a.goal - b.goal)
  const ofWorst = missed.find(({ school }) => school.id === worst?.school.id)
  const isMissedInAll = missed.length === 0 && isMissed(all.withinGoal) && sizeOf(all.judged) >= LEAST_JUDGED
  const by = all.change?.by
  const isOver = curves.today > (curves.days.at(-1) ?? 0)
  return [
    { message: `total.${totalIs(all, isOver)}`, count: all.now, ...(by != null && { by }) },
    ...clausesIf(recordOf !== null && all.change?.is === 'up', { message: 'record', years: recordOf ?? [] }),
    ...(best ? [{ message: `rises${best.most}` as const, school: best.school, by: best.by }] : []),
    ...(worst
      ? [
          {
            message: `falls${worst.most}${ofWorst ? 'AndMisses' : ''}` as const,
            by: worst.by,
            ...ofWorst,
            school: worst.school,
          },
        ]
      : []),
    ...(missed[0] && !ofWorst ? [{ message: 'misses' as const, ...missed[0] }] : []),
    ...clausesIf(isMissedInAll, { message: 'missesInAll', goal: all.withinGoal ?? 0 }),
  ]
}

type Words = { t: ReturnType<typeof useTranslations<'interest.sentence'>>; few: string; format: FigureFormat }

/** What a clause's message is filled with, in the reader's language. */
export function clauseValues(page: InterestPage, { t, few, format }: Words) {
  const { isLastYear, isOver } = comparedYear(page)
  const { say, signedShare, share } = figureWords(format, few)
  const inWords = new Map([
    [50, t('half')],
    [33, t('third')],
  ])
  return ({ count = 0, by = 0, goal = 0, years = [], school }: Clause) => ({
    n: sizeOf(count),
    count: say(count),
    year: String(page.cohort),
    share: signedShare(by),
    before: t(`before.${isOver ? 'inAll' : isLastYear ? 'lastYear' : 'yearBefore'}`),
    goal: inWords.get(Math.round(goal * 100)) ?? share(goal),
    years: format.list(years.map(String), { type: 'conjunction' }),
    school: school?.name ?? '',
  })
}

const clausesIf = (isSaid: boolean, clause: Clause): Clause[] => (isSaid ? [clause] : [])

export function isMissed(share: number | null): share is number {
  return share !== null && share < GOAL_SHARE
}

function totalIs({ now, change }: BoardRow, isOver: boolean) {
  if (now === 0) return 'none'
  if (change?.by == null) return isOver ? 'inAll' : 'alone'
  if (change.is !== 'level') return change.is
  return Math.abs(change.by) <= ABOUT_AS ? 'about' : 'within-chance'
}

/** `Most` where no other school shows as much. */
function mostMoved(rows: readonly SchoolOnBoard[], is: 'up' | 'down') {
  const sign = is === 'up' ? 1 : -1
  const moved = rows.flatMap(({ school, change }) =>
    change?.by == null ? [] : [{ school, by: change.by, isBeyond: change.is === is }],
  )
  const [first] = moved.filter(({ isBeyond }) => isBeyond).toSorted((a, b) => sign * (b.by - a.by))
  if (!first) return undefined
  const { school, by } = first
  const isMost = moved.length > 1 && moved.every((one) => one.school === school || sign * one.by < sign * by)
  return { school, by, most: isMost ? ('Most' as const) : ('' as const) }
}
