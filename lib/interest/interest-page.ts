import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import type { AnswerFigures, Answers, Count } from '@/lib/contract/interest'
import type { SnapshotInfo } from '@/lib/contract/feed-status'
import type { HighSchool } from '@/lib/contract/lead'
import type { AnswerGoals } from '@/lib/contract/work-settings'
import type { Period } from '@/lib/time/stockholm'
import type { CycleCurves, Headline } from './cohort-curves'
import type { InterestGrid } from './interest-grid'

/** How leads that came in some days (the admission year so far, unless a period is chosen) were answered. */
export type PageAnswers = Omit<Answers, 'bySchool'> & {
  bySchool: readonly (AnswerFigures & { school: HighSchool })[]
  /** In working days; null where nothing is to be answered within any. */
  goals: AnswerGoals
  /** Whether the days are those of the cohort's admission year. */
  isOfCycle: boolean
  /** Whether all of it, and all that it is compared with, came before the first day of work: then no goal was set for it. */
  isBeforeWork: { now: boolean; before: boolean }
}

/** What the page about interest shows: counts, names of schools, nothing of a person. */
export type InterestPage = {
  cohort: number
  /** The cohorts one may choose, ascending. */
  cohorts: readonly number[]
  /** The Stockholm day of the snapshot. */
  asOf: string
  snapshot: SnapshotInfo
  cycle: AdmissionCycle
  /** As counted; for managers wider than asked. */
  period: Period
  /** Whether its numbers are rounded, for a manager. */
  isRounded: boolean
  /** The names of the chosen schools; none when all are counted. */
  chosen: readonly string[]
  headline: Headline
  curves: CycleCurves
  grid: InterestGrid
  /** Also those in which nothing came, and so in `answers`. */
  weeks: readonly { week: string; declarations: Count; questions: Count }[]
  /** Of the questions: by how the sender wants the answer, and the share of them. */
  modes: readonly { mode: string; questions: Count; share: number | null }[]
  answers: PageAnswers
}
