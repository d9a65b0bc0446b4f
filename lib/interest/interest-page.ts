import type { AdmissionCycle } from '@/lib/contract/admission-cycle'
import type { HighSchool } from '@/lib/contract/lead'
import type { SnapshotInfo } from '@/lib/contract/snapshot'
import type { CycleCurves } from './cycle-curves'
import type { InterestGrid } from './interest-grid'
import type { WeekCount } from './week-counts'
import type { HandlingTimes } from './time-to-handled'

export type Unit = 'declarations' | 'people'
/** One number in either unit. */
export type InUnits = Record<Unit, number>

/** What the page about interest shows: counts, names of schools, nothing of a person. */
export type InterestPage = {
  cohort: number
  /** The cohorts one may choose, ascending. */
  cohorts: readonly number[]
  /** The Stockholm day of the snapshot. */
  asOf: string
  snapshot: SnapshotInfo
  cycle: AdmissionCycle
  /** Days, `yyyy-MM-dd`, as counted; null where the period is open. */
  period: { from: string | null; to: string | null }
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

export type Headline = {
  /** Days from the last day of the application to the snapshot's day. */
  cycleDay: number
  now: InUnits
  /** The cohort before, at the same cycle day; null when no declaration is for it. */
  before: InUnits | null
  /** All that ever came for the cohort before. */
  beforeInAll: InUnits | null
}
