import type { SnapshotInfo } from '@/lib/contract/feed-status'
import type { AdmissionCycle, AnswerGoals } from '@/lib/contract/settings'
import type { Board } from './board'
import { findDefaultCohort } from './cohort'
import type { TopicFigures } from './topic-figures'

/** The figures of the page, which are already rounded for managers. */
export type InterestPage = {
  cohort: number
  /** The cohorts to choose from; years that cannot be right are left out. */
  cohorts: readonly number[]
  /** The day of the snapshot as `yyyy-MM-dd`. */
  asOf: string
  snapshot: SnapshotInfo
  cycle: AdmissionCycle
  isRounded: boolean
  /** The names of the chosen schools, or none if all are shown. */
  chosenSchools: readonly string[]
  /** Whether the staff work for this cohort now; the page has no figures of their work for another. */
  isCurrentCohort: boolean
  /** Before administrators have set the first day of work, nothing is late or in time. */
  hasWorkStart: boolean
  goals: AnswerGoals
  board: Board
  topics: TopicFigures
}

/** Tells whether the year before is last year, and whether the season of the page's cohort is over. */
export function describeComparison({ cohort, asOf, cycle, board }: InterestPage) {
  const { days, todayCycleDay } = board.curves
  return { isLastYear: cohort === findDefaultCohort(asOf, cycle), isOver: todayCycleDay > (days.at(-1) ?? 0) }
}

/** Tells whether the page has a curve, because a day of the cohort's admission year has passed. */
export function hasSeasonBegun({ board }: InterestPage): boolean {
  return (board.curves.cohorts[0]?.counts.length ?? 0) > 0
}
