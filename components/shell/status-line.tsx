'use client'

import { useTranslations } from 'next-intl'
import { optionalPart } from '@/components/app/lazy-part'
import { Skeleton } from '@/components/ui/loading'

const StatusText = optionalPart(
  async () => (await import('./status-text')).StatusText,
  <Skeleton className="my-0.75 ml-3.25 h-3 w-20" />,
)

/** The text comes after the page, which does not know it, and its room is kept. */
export function StatusLine() {
  const t = useTranslations('status')
  return (
    <section aria-label={t('label')} className="tabular min-h-4.5 min-w-0 text-xs text-mute">
      <StatusText />
    </section>
  )
}

/** Only where the server drew the page without some list. */
export const FirstArrival = optionalPart(async () => (await import('./first-arrival')).FirstArrival)
