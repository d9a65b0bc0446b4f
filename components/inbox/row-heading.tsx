'use client'

import { useLocale, useTranslations } from 'next-intl'
import { HEADING_HEIGHT } from '@/lib/inbox/row-layout'
import { sinceTime } from '@/lib/time/format-time'

type RowHeadingProps = {
  is: 'new' | 'earlier'
  top: number
  /** The end of the last visit, ms. */ since: number
  today: number
}

/** Parts what came since the last visit from what was there before. */
export function RowHeading({ is, top, since, today }: RowHeadingProps) {
  const t = useTranslations('inbox')
  const locale = useLocale()
  return (
    <div
      role="presentation"
      style={{ height: HEADING_HEIGHT, transform: `translateY(${top}px)` }}
      className="absolute inset-x-0 top-0 flex items-end gap-2.5 px-4 pb-1 text-2xs font-semibold text-faint after:mb-1.75 after:h-px after:flex-1 after:bg-line-soft"
    >
      <span suppressHydrationWarning>
        {is === 'new' ? t('newSince', { when: sinceTime(since, today, locale) }) : t('earlier')}
      </span>
    </div>
  )
}
