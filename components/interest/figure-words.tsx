import { useFormatter, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { Count } from '@/lib/contract/interest'

/** How a count is written: one that is rounded away stays `<5`, which is spoken as words. */
export function useCountWords() {
  const t = useTranslations('interest')
  const format = useFormatter()
  const write = (count: Count): string => (count === '<5' ? count : format.number(count))
  return {
    /** To be seen. */
    write,
    /** To be heard. */
    say: (count: Count): string => (count === '<5' ? t('few') : write(count)),
    /** Both. */
    figure: (count: Count): ReactNode =>
      count === '<5' ? (
        <span role="img" aria-label={t('few')}>
          {count}
        </span>
      ) : (
        write(count)
      ),
  }
}

export const NOT_GIVEN = '–'

/** `35 min`, `3 h 20 min`, `1 d 4 h`; rounded, a time of no hours is less than one. */
export function useDuration(isRounded: boolean): (minutes: number | null) => string {
  const t = useTranslations('interest.duration')
  return (exact) => {
    if (exact === null) return NOT_GIVEN
    if (isRounded && exact === 0) return t('underHour')
    const minutes = Math.round(exact)
    if (minutes < 60) return t('minutes', { minutes })
    if (minutes < 48 * 60) return t('hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })
    const hours = Math.round(minutes / 60)
    return t('days', { days: Math.floor(hours / 24), hours: hours % 24 })
  }
}

/** `91 %`. */
export function useShare(): (share: number | null) => string {
  const format = useFormatter()
  return (share) => (share === null ? NOT_GIVEN : format.number(share, { style: 'percent', maximumFractionDigits: 0 }))
}

/** For a file: in whole per cent. */
export function percentOf(share: number | null): number | null {
  return share === null ? null : Math.round(share * 100)
}
