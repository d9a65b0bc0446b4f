'use client'

import { CloudOff, Inbox as InboxIcon, Lock, SearchX } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Spinner } from '@/components/ui/spinner'
import { ApiError } from '@/lib/api/api-error'
import type { LeadList } from '@/lib/contract/lead'
import { SkeletonRow } from './skeleton-row'

type ListStateProps = {
  list: LeadList
  error: unknown
  isEmpty: boolean
  isFiltered: boolean
  onRetry: () => void
  onClear: () => void
}

/** What stands in place of the rows when there are none: loading, nothing there, or why not. */
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
  return error instanceof ApiError ? <Failure kind={error.kind} onRetry={onRetry} /> : <LoadingRows />
}

function Failure({ kind, onRetry }: { kind: ApiError['kind']; onRetry: () => void }) {
  const t = useTranslations('inbox')
  const common = useTranslations('common')
  if (kind === 'not-ready') {
    return (
      <EmptyState icon={<Spinner />} title={t('notReady')}>
        {t('notReadyHint')}
      </EmptyState>
    )
  }
  if (kind === 'unauthorized') {
    return (
      <EmptyState icon={<Lock />} title={t('noAccess')}>
        {t('noAccessHint')}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={<CloudOff />}
      title={t('failed')}
      action={<Button onClick={onRetry}>{common('tryAgain')}</Button>}
    >
      {t(`failedHint.${kind === 'offline' ? 'offline' : 'other'}`)}
    </EmptyState>
  )
}

const SCREENFUL = 12

function LoadingRows() {
  const t = useTranslations('common')
  return (
    <div className="overflow-hidden">
      <output className="sr-only">{t('loading')}</output>
      {Array.from({ length: SCREENFUL }, (_, index) => (
        <SkeletonRow key={index} index={index} />
      ))}
    </div>
  )
}
