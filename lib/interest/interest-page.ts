import type { AdmissionCycle, AnswerGoals } from '@/lib/contract/settings'
import type { AnswerFigures, Answers, Count } from '@/lib/contract/interest'
import type { SnapshotInfo } from '@/lib/contract/feed-status'
import type { HighSchool } from '@/lib/contract/lead'
import type { Period } from '@/lib/time/stockholm'
import type { CycleCurves, Headline } from './cohort-curves'
import type { InterestGrid } from './interest-grid'

export type PageAnswers = Omit<Answers, 'bySchool'> & {
  bySchool: readonly (AnswerFigures & { school: HighSchool })[]
  goals: AnswerGoals
  isOfCycle: boolean
  /** Whether all of it, or all that it is compared with, came before the first day of work, and so had no goal. */
  isBeforeWork: { now: boolean; before: boolean }
}

/** Counts and names of schools, nothing of a person. */
export type InterestPage = {
  cohort: number
  cohorts: readonly number[]
  asOf: string
  snapshot: SnapshotInfo
  cycle: AdmissionCycle
  /** Wider than asked for managers. */
  period: Period
  isRounded: boolean
  chosen: readonly string[]
  headline: Headline
  curves: CycleCurves
  grid: InterestGrid
  /** Also those in which nothing came, and so in `answers`. */
  weeks: readonly { week: string; declarations: Count; questions: Count }[]
  modes: readonly { mode: string; questions: Count; share: number | null }[]
  answers: PageAnswers
}
