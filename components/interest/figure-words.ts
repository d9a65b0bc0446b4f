import { useFormatter, useTranslations } from 'next-intl'
import { FEW } from '@/lib/interest/small-groups'

/** How counts are written. Where small groups are withheld, few are `<5`, and a sum with such in it is approximate. */
export function useCountWords(isWithheld: boolean) {
  const t = useTranslations('interest')
  const format = useFormatter()
  const isFew = (count: number) => isWithheld && count === FEW
  const write = (count: number, isAbout?: boolean): string => {
    if (isFew(count)) return t('few')
    return isAbout ? t('about', { count: format.number(count) }) : format.number(count)
  }
  return {
    isFew,
    write,
    /** For a file or a table: a number as long as it is one. */
    figure: (count: number, isAbout?: boolean): number | string =>
      isAbout || isFew(count) ? write(count, isAbout) : count,
  }
}

/** `35 min`, `3 h 20 min`, `1 d 4 h`. */
export function useDuration(): (minutes: number) => string {
  const t = useTranslations('interest.duration')
  return (exact) => {
    const minutes = Math.round(exact)
    if (minutes < 60) return t('minutes', { minutes })
    if (minutes < 48 * 60) return t('hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })
    const hours = Math.round(minutes / 60)
    return t('days', { days: Math.floor(hours / 24), hours: hours % 24 })
  }
}

/** `91 %`. */
export function useShare(): (share: number) => string {
  const format = useFormatter()
  return (share) => format.number(share, { style: 'percent', maximumFractionDigits: 0 })
}
