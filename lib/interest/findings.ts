import type { Count } from '@/lib/contract/interest'
import type { HighSchool } from '@/lib/contract/lead'
import { sizeOf } from './axis'
import type { Board, BoardRow } from './board'

/** Nine of ten within the goal; below it, the goal is missed. */
export const GOAL_SHARE = 0.9
/** A goal that fewer missed is in the table, not in the sentence. */
const LEAST_JUDGED = 25
/** Up to so much more or less, a year is about as the one before. */
const ABOUT_AS = 0.05

export type Finding =
  | { is: 'total'; count: Count; by: number | null; change: 'up' | 'down' | 'about' | 'within-chance' | null }
  | { is: 'record'; years: readonly number[] }
  /** `isMost`: no other school shows as much. */
  | { is: 'rises' | 'falls'; school: HighSchool; by: number; isMost: boolean; withinGoal: number | null }
  | { is: 'goal-missed'; school: HighSchool | null; withinGoal: number }

/**
 * What is worth saying, in the order in which it is said: how many, what rises and falls most beyond chance, and where
 * the goal is missed most. Of the numbers as they are shown, and nothing that they do not carry.
 */
export function findings({ all, schools, recordOf }: Pick<Board, 'all' | 'schools' | 'recordOf'>): Finding[] {
  const rows = schools.length > 1 ? schools : []
  const [best, worst] = [mostMoved(rows, 'up'), mostMoved(rows, 'down')]
  const missed = rows
    .filter(isEnough)
    .flatMap(({ school, withinGoal }) => (isMissed(withinGoal) ? [{ school, withinGoal }] : []))
    .toSorted((a, b) => a.withinGoal - b.withinGoal)
  const ofWorst = missed.find(({ school }) => school.id === worst?.school.id)
  const ofAll = isMissed(all.withinGoal) && isEnough(all) ? [{ school: null, withinGoal: all.withinGoal }] : []
  const [late] = missed.length === 0 ? ofAll : missed
  return [
    { is: 'total', count: all.now, by: all.change?.by ?? null, change: changeInWords(all.change) },
    ...(recordOf === null || all.change?.is !== 'up' ? [] : [{ is: 'record' as const, years: recordOf }]),
    ...(best ? [{ is: 'rises' as const, ...best, withinGoal: null }] : []),
    ...(worst ? [{ is: 'falls' as const, ...worst, withinGoal: ofWorst?.withinGoal ?? null }] : []),
    ...(late && !ofWorst ? [{ is: 'goal-missed' as const, ...late }] : []),
  ]
}

export function isMissed(share: number | null): share is number {
  return share !== null && share < GOAL_SHARE
}

function isEnough({ judged }: Pick<BoardRow, 'judged'>): boolean {
  return sizeOf(judged) >= LEAST_JUDGED
}

function changeInWords(change: BoardRow['change']): Extract<Finding, { is: 'total' }>['change'] {
  if (change?.by == null) return null
  if (change.is !== 'level') return change.is
  return Math.abs(change.by) <= ABOUT_AS ? 'about' : 'within-chance'
}

function mostMoved(rows: Board['schools'], is: 'up' | 'down') {
  const sign = is === 'up' ? 1 : -1
  const moved = rows.flatMap(({ school, change }) =>
    change?.by == null ? [] : [{ school, by: change.by, isBeyond: change.is === is }],
  )
  const [first] = moved.filter(({ isBeyond }) => isBeyond).toSorted((a, b) => sign * (b.by - a.by))
  if (!first) return undefined
  const { school, by } = first
  const isMost = moved.length > 1 && moved.every((one) => one.school === school || sign * one.by < sign * by)
  return { school, by, isMost }
}
