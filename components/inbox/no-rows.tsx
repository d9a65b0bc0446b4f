import { CloudOff, Inbox, Lock, SearchX } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useStatus } from '@/components/desk/feed-status'
import { NothingYet } from '@/components/desk/nothing-yet'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import type { ApiError } from '@/lib/api/send'
import type { LeadList } from '@/lib/contract/lead'

export type NoRowsProps = {
  list: LeadList
  isFiltered: boolean
  /** How many there would be with those that are earlier than the work. */
  earlier: number
  onEarlier: () => void
  /** Why there is no list; null when there is one, and nothing in it. */
  failure: ApiError['kind'] | null
  onRetry: () => void
  onClear: () => void
}

/** Why there are no rows to show, and what can be done about it. */
export function NoRows({ list, isFiltered, earlier, onEarlier, failure, onRetry, onClear }: NoRowsProps) {
  const t = useTranslations('inbox')
  if (failure !== null) return <ListFailure list={list} kind={failure} onRetry={onRetry} />
  if (earlier > 0) {
    return (
      <EmptyState
        icon={<Inbox />}
        title={t(isFiltered ? 'leftOut.noMatch' : 'leftOut.empty')}
        action={<Button onClick={onEarlier}>{t('leftOut.showAll', { count: earlier })}</Button>}
      >
        {t('leftOut.hint', { count: earlier })}
      </EmptyState>
    )
  }
  if (isFiltered) {
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
  return (
    <EmptyState icon={<Inbox />} title={t(`${list}.empty`)}>
      {t(`${list}.emptyHint`)}
    </EmptyState>
  )
}

type FailureProps = { list: LeadList; kind: ApiError['kind']; onRetry: () => void }

function ListFailure({ list, kind, onRetry }: FailureProps) {
  const t = useTranslations('inbox')
  const common = useTranslations('common')
  const { data: status } = useStatus()
  // Where there is data, it was only too much at once.
  if (kind === 'not-ready' && !status?.lists[list]) return <NothingYet lists={[list]} />
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
