'use client'

import { useLocale, useTranslations } from 'next-intl'
import { useToday } from '@/components/inbox/use-today'
import type { LeadItem } from '@/lib/api/lead-page'
import { dayAndTime } from '@/lib/time/format-time'

/** What support asks for, and who would otherwise never need it; the end of the page. */
export function LeadIds({ item }: { item: LeadItem }) {
  const t = useTranslations('lead')
  const locale = useLocale()
  const today = useToday()
  const { updatedAt } = item.triage
  return (
    <footer className="mt-5 flex flex-wrap gap-x-4 gap-y-1 text-xs text-faint">
      {updatedAt !== null && (
        <span suppressHydrationWarning>{t('updated', { when: dayAndTime(Date.parse(updatedAt), today, locale) })}</span>
      )}
      <span className="wrap-anywhere">{t('id', { id: item.id })}</span>
      <span className="wrap-anywhere">{t('schoolId', { id: item.highSchoolId })}</span>
    </footer>
  )
}
