import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import type { SnapshotInfo } from '@/lib/contract/feed-status'
import type { HighSchool } from '@/lib/contract/lead'
import type { Period } from '@/lib/time/stockholm'
import type { CycleCurves, Headline } from './cohort-curves'
import type { InterestGrid } from './interest-grid'
import type { HandlingTimes } from './time-to-handled'
import type { WeekCount } from './week-counts'

/** What the page about interest shows: counts, names of schools, nothing of a person. */
export type InterestPage = {
  cohort: number
  /** The cohorts one may choose, ascending. */
  cohorts: readonly number[]
  /** The Stockholm day of the snapshot. */
  asOf: string
  snapshot: SnapshotInfo
  cycle: AdmissionCycle
  /** As counted. */
  period: Period
  isWithheld: boolean
  /** The names of the chosen schools; none when all are counted. */
  chosen: readonly string[]
  headline: Headline
  curves: CycleCurves
  grid: InterestGrid
  weeks: readonly WeekCount[]
  questions: { modes: readonly { mode: string; questions: number }[] }
  handled: HandlingTimes & { bySchool: readonly (HandlingTimes & { school: HighSchool })[] }
}
