'use client'

import { Inbox as InboxIcon, SearchX } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { lazy, Suspense } from 'react'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { ApiError } from '@/lib/api/api-error'
import type { LeadList } from '@/lib/contract/lead'
import { LoadingRows } from './loading-rows'

const ListFailure = lazy(async () => ({ default: (await import('./list-failure')).ListFailure }))

type ListStateProps = {
  list: LeadList
  error: unknown
  isEmpty: boolean
  isFiltered: boolean
  onRetry: () => void
  onClear: () => void
}

/** What stands in place of the rows when there are none: nothing there, or why not. */
export function ListState({ list, error, isEmpty, isFiltered, onRetry, onClear }: ListStateProps) {
  const t = useTranslations('inbox')
  if (isEmpty && isFiltered) {
    return (
      <EmptyState
        icon={<SearchX />}
        title={t('noMatch')}
        action={<Button onClick={onClear}>{t('clearFilters')}</Button>}
      >
        {t('noMatchHint')}
      </EmptyState>
    )
  }
  if (isEmpty) {
    return (
      <EmptyState icon={<InboxIcon />} title={t(`${list}.empty`)}>
        {t(`${list}.emptyHint`)}
      </EmptyState>
    )
  }
  if (!(error instanceof ApiError)) return <LoadingRows />
  return (
    <Suspense fallback={<LoadingRows />}>
      <ListFailure kind={error.kind} onRetry={onRetry} />
    </Suspense>
  )
}
