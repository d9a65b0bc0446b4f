import type { useFormatter } from 'next-intl'
import type { SnapshotInfo } from '@/lib/contract/feed-status'
import type { Count } from '@/lib/contract/interest'
import type { AdmissionCycle, AnswerGoals } from '@/lib/contract/settings'
import type { Board } from './board'
import { findDefaultCohort } from './cohort'
import type { TopicFigures } from './topic-figures'

/** The page has counts only, which are rounded already for managers. */
export type InterestPage = {
  cohort: number
  /** The page can show these; years that cannot be right are left out. */
  cohorts: readonly number[]
  /** The day of the snapshot as `yyyy-MM-dd`. */
  asOf: string
  snapshot: SnapshotInfo
  cycle: AdmissionCycle
  isRounded: boolean
  /** Schools are given by name; there are none if all are shown. */
  chosenSchools: readonly string[]
  /** The page says nothing about the work for other cohorts than the one the staff work for now. */
  isCurrentCohort: boolean
  /** Before administrators have set the first day of work, nothing is late or in time. */
  hasWorkStart: boolean
  goals: AnswerGoals
  board: Board
  topics: TopicFigures
}

/** Tells whether the year before is last year, and whether the season of the page's cohort is over. */
export function describeComparison({ cohort, asOf, cycle, board }: InterestPage) {
  const { days, today } = board.curves
  return { isLastYear: cohort === findDefaultCohort(asOf, cycle), isOver: today > (days.at(-1) ?? 0) }
}

/** Tells whether the page has a curve, because a day of the cohort's admission year has passed. */
export function hasSeasonBegun({ board }: InterestPage): boolean {
  return (board.curves.cohorts[0]?.counts.length ?? 0) > 0
}

export type FigureFormat = Pick<ReturnType<typeof useFormatter>, 'number' | 'list'>

const PERCENT = { style: 'percent', maximumFractionDigits: 0 } as const

export function createFigureFormatters(format: FigureFormat, few: string) {
  const formatCount = (count: Count) => (count === '<5' ? count : format.number(count))
  return {
    formatCount,
    /** A count below five is written in words. */
    spellCount: (count: Count) => (count === '<5' ? few : formatCount(count)),
    formatShare: (share: number) => format.number(share, PERCENT),
    /** `+18 %`, `−2 %`, `±0 %`. */
    formatSignedShare: (share: number) => {
      const text = format.number(share, { ...PERCENT, signDisplay: 'exceptZero' })
      return Math.round(share * 100) === 0 ? `±${text}` : text.replace('-', '−')
    },
  }
}
