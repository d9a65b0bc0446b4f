import { useFormatter, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { Count } from '@/lib/contract/interest'
import { createFigureFormatters } from '@/lib/interest/interest-page'

export function useFigureFormat() {
  const few = useTranslations('interest')('few')
  const formatters = createFigureFormatters(useFormatter(), few)
  /** A count that is rounded away is drawn as `<5` and read aloud in words. */
  const figure = (count: Count): ReactNode =>
    count === '<5' ? (
      <span role="img" aria-label={few}>
        {count}
      </span>
    ) : (
      formatters.formatCount(count)
    )
  return { ...formatters, figure }
}
