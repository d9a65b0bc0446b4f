'use client'

import { useLocale } from 'next-intl'
import { useState } from 'react'
import { dayAndTime } from '@/lib/time/format-time'

/** When an export was made. The browser may be in another day than the server was when it made the page. */
export function ExportedAt({ at }: { at: string }) {
  const locale = useLocale()
  const [now] = useState(Date.now)
  return (
    <time dateTime={at} className="tabular whitespace-nowrap" suppressHydrationWarning>
      {dayAndTime(Date.parse(at), now, locale)}
    </time>
  )
}
