import { useFormatter, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { AnswerFigures, Count } from '@/lib/contract/interest'

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

/** `35 min`, `3 h 20 min`, `1 d 4 h`; rounded, a time of no hours is less than one. */
export function useDuration(isRounded: boolean): (minutes: number | null) => string {
  const t = useTranslations('interest.duration')
  return (exact) => {
    if (exact === null) return NO_VALUE
    if (isRounded && exact === 0) return t('underHour')
    const minutes = Math.round(exact)
    if (minutes < 60) return t('minutes', { minutes })
    if (minutes < 48 * 60) return t('hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })
    const hours = Math.round(minutes / 60)
    return t('days', { days: Math.floor(hours / 24), hours: hours % 24 })
  }
}

export function useShare(): (share: number | null) => string {
  const format = useFormatter()
  return (share) => (share === null ? NO_VALUE : format.number(share, { style: 'percent', maximumFractionDigits: 0 }))
}

type AnswerCells = (figures: AnswerFigures) => (string | number | null)[]

export function useAnswerCells(isRounded: boolean): { forFile: AnswerCells; forPeople: AnswerCells } {
  const share = useShare()
  const time = useDuration(isRounded)
  const whole = (number: number | null, factor = 1) => (number === null ? null : Math.round(number * factor))
  return {
    forFile: ({ withinGoal, medianMinutes, p90Minutes }) => [
      whole(withinGoal, 100),
      whole(medianMinutes),
      whole(p90Minutes),
    ],
    forPeople: ({ withinGoal, medianMinutes, p90Minutes }) => [
      share(withinGoal),
      time(medianMinutes),
      time(p90Minutes),
    ],
  }
}
