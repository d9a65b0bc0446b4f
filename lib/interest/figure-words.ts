import type { useFormatter } from 'next-intl'
import type { Count } from '@/lib/contract/interest'
import { defaultCohort } from './cohort'
import type { InterestPage } from './interest-page'

export type FigureFormat = Pick<ReturnType<typeof useFormatter>, 'number' | 'list'>

export const NO_VALUE = '–'

const PERCENT = { style: 'percent', maximumFractionDigits: 0 } as const

export function figureWords(format: FigureFormat, few: string) {
  const write = (count: Count): string => (count === '<5' ? count : format.number(count))
  return {
    write,
    /** A count that is rounded away in words. */
    say: (count: Count): string => (count === '<5' ? few : write(count)),
    share: (share: number | null): string => (share === null ? NO_VALUE : format.number(share, PERCENT)),
    /** `+18 %`, `−2 %`, `±0 %`. */
    signedShare: (share: number | null): string => {
      if (share === null) return NO_VALUE
      const text = format.number(share, { ...PERCENT, signDisplay: 'exceptZero' })
      return Math.round(share * 100) === 0 ? `±${text}` : text.replace('-', '−')
    },
  }
}

/** Whether what is compared with is last year, and whether the season of the page's cohort is over. */
export function comparedYear({ cohort, asOf, cycle, board }: InterestPage): { isLastYear: boolean; isOver: boolean } {
  const { days, today } = board.curves
  return { isLastYear: cohort === defaultCohort(asOf, cycle), isOver: today > (days.at(-1) ?? 0) }
}

/** Whether a day of the cohort's admission year has passed; before, there is no curve. */
export function hasBegun({ board }: InterestPage): boolean {
  return (board.curves.cohorts[0]?.counts.length ?? 0) > 0
}
