import { useTranslations } from 'next-intl'

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
