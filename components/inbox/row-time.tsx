'use client'

import { useLocale } from 'next-intl'
import { shortTime } from '@/lib/time/format-time'

/** When a lead came, as short as a row needs. A moment that cannot be read leaves the place empty. */
export function RowTime({ at, today }: { at: string; today: number }) {
  const locale = useLocale()
  const ms = Date.parse(at)
  return (
    <time dateTime={at} suppressHydrationWarning className="tabular text-xs text-faint">
      {Number.isNaN(ms) ? '' : shortTime(ms, today, locale)}
    </time>
  )
}
