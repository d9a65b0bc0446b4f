import { useFormatter, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { Count } from '@/lib/contract/interest'
import { defaultCohort } from '@/lib/interest/cohort'
import type { InterestPage } from '@/lib/interest/interest-page'

/** A count that is rounded away stays `<5`, which is spoken as words. */
export function useCountFormat() {
  const t = useTranslations('interest')
  const format = useFormatter()
  const write = (count: Count): string => (count === '<5' ? count : format.number(count))
  const say = (count: Count): string => (count === '<5' ? t('few') : write(count))
  const figure = (count: Count): ReactNode =>
    count === '<5' ? (
      <span role="img" aria-label={t('few')}>
        {count}
      </span>
    ) : (
      write(count)
    )
  return { write, say, figure }
}

export const NO_VALUE = '–'

export function useShare(): (share: number | null) => string {
  const format = useFormatter()
  return (share) => (share === null ? NO_VALUE : format.number(share, { style: 'percent', maximumFractionDigits: 0 }))
}

/** `+18 %`, `−2 %`, `±0 %`. */
export function useSignedShare(): (share: number | null) => string {
  const format = useFormatter()
  return (share) => {
    if (share === null) return NO_VALUE
    const text = format.number(share, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' })
    return Math.round(share * 100) === 0 ? `±${text}` : text.replace('-', '−')
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
