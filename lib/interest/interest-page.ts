import type { AdmissionCycle, AnswerGoals } from '@/lib/contract/settings'
import type { SnapshotInfo } from '@/lib/contract/feed-status'
import type { Board } from './board'
import type { TopicFigures } from './topic-figures'

/** Counts only, rounded already for managers. */
export type InterestPage = {
  cohort: number
  /** Whose numbers the page can show; without years that cannot be right. */
  cohorts: readonly number[]
  /** The day of the snapshot, `yyyy-MM-dd`. */
  asOf: string
  snapshot: SnapshotInfo
  cycle: AdmissionCycle
  isRounded: boolean
  /** The names of the chosen schools; empty for all. */
  chosen: readonly string[]
  /** Whether it is the year that is worked for: what waits and is answered in time is of now. */
  isWorked: boolean
  /** Whether it was chosen from when leads are work; before that nothing is late or in time. */
  hasFirstDay: boolean
  /** In working days. */
  goals: AnswerGoals
  board: Board
  topics: TopicFigures
}
