import { useFormatter, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { Count } from '@/lib/contract/interest'
import { createFigureFormatters } from '@/lib/interest/figure-formatters'

export function useFigureFormat() {
  const fewText = useTranslations('interest')('few')
  const formatters = createFigureFormatters(useFormatter(), fewText)
  // A count below five is drawn as `<5` and read aloud in words.
  const formatFigure = (count: Count): ReactNode =>
    count === '<5' ? (
      <span role="img" aria-label={fewText}>
        {count}
      </span>
    ) : (
      formatters.formatCount(count)
    )
  return { ...formatters, formatFigure }
}
