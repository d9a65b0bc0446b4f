import { CloudOff, Inbox, Lock, SearchX } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useToday } from '@/components/browser/clock'
import { longestProblem } from '@/components/desk/feed-state'
import { useStatus } from '@/components/desk/feed-status'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Spinner } from '@/components/ui/loading'
import type { ApiError } from '@/lib/api/send'
import type { Status } from '@/lib/contract/feed-status'
import type { LeadList } from '@/lib/contract/lead'
import { dayAndTime } from '@/lib/time/format-time'

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
  if (kind === 'not-ready' && !status?.lists[list]) return <NotReady problems={status?.problems ?? []} />
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

/** Nothing has come from the service yet: it is on its way, or the service has a fault. */
function NotReady({ problems }: Pick<Status, 'problems'>) {
  const t = useTranslations('inbox')
  const status = useTranslations('status.problem')
  const locale = useLocale()
  const today = useToday()
  const problem = longestProblem(problems, 0)
  if (problem === null) {
    return (
      <EmptyState icon={<Spinner />} title={t('notReady')}>
        {t('notReadyHint')}
      </EmptyState>
    )
  }
  // Told from the beginning of time, "in so many milliseconds" is a moment.
  const { kind, at, sinceMs, retryInMs: retryAt } = problem
  return (
    <EmptyState icon={<CloudOff />} title={status(at ?? kind)}>
      {t(`noDataHint.${at ?? kind}`)} {t('problem.since', { since: dayAndTime(sinceMs, today, locale) })}{' '}
      {retryAt !== null && t('problem.retry', { when: dayAndTime(retryAt, today, locale) })}
    </EmptyState>
  )
}
