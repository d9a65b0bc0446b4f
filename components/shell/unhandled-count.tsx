'use client'

import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { listCounts } from '@/lib/api/list-counts'
import type { LeadList } from '@/lib/contract/lead'
import { useSchoolFilter } from './use-school-filter'

/** How many leads of a list wait for somebody, in the chosen schools. */
export function UnhandledCount({ list, shape }: { list: LeadList; shape: 'side' | 'bottom' }) {
  const t = useTranslations('shell')
  const [schools] = useSchoolFilter()
  const { data } = useQuery(listCounts(list, schools.length > 0 ? { school: schools.toSorted() } : {}))
  const count = data?.status['new'] ?? 0
  if (count === 0) return null
  return (
    <span
      className={
        shape === 'side'
          ? 'tabular ml-auto text-xs font-semibold text-ink'
          : 'tabular absolute top-1 left-1/2 ml-1.5 rounded-full bg-accent px-1.5 text-[0.625rem] leading-4 font-semibold text-accent-ink'
      }
    >
      <span aria-hidden>{shape === 'bottom' && count > 999 ? '999+' : t('count', { count })}</span>
      <span className="sr-only">{t('unhandled', { count })}</span>
    </span>
  )
}
