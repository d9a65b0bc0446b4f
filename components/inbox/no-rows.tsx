import { CloudOff, Inbox, Lock, SearchX, TriangleAlert } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useDayAndTime } from '@/components/browser/clock'
import { useStatus, problemKey } from '@/components/desk/feed-status'
import { NoDataYet } from '@/components/desk/no-data-yet'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Finished, RestOfQueue } from '@/components/views/rest-of-queue'
import type { ApiError } from '@/lib/api/send'
import type { SnapshotInfo } from '@/lib/contract/feed-status'
import { isToDo } from '@/lib/inbox/filter-params'
import type { InboxState } from './use-inbox'

type NoRowsProps = { inbox: InboxState; failure: ApiError['kind'] | null }

export function NoRows({ inbox, failure }: NoRowsProps) {
  const { filters, rows } = inbox
  if (failure !== null) return <ListFailure inbox={inbox} kind={failure} />
  const nothing = <Nothing inbox={inbox} />
  if (filters.query.q !== undefined) return nothing
  const isWork = isToDo(filters.params) || rows.hadSome
  return <Finished list={inbox.description.list} isWork={isWork} empty={nothing} />
}

function Nothing({ inbox: { filters, counts, description } }: { inbox: InboxState }) {
  const t = useTranslations('inbox')
  const { isFiltered } = filters
  const count = counts?.hidden.earlier ?? 0
  if (count > 0) {
    const showAll = <Button onClick={() => filters.set({ earlier: 'all' })}>{t('leftOut.showAll', { count })}</Button>
    return (
      <EmptyState icon={<Inbox />} title={t(isFiltered ? 'leftOut.noMatch' : 'leftOut.empty')} action={showAll}>
        {t('leftOut.hint', { count })}
      </EmptyState>
    )
  }
  if (isFiltered) {
    const clear = <Button onClick={filters.clear}>{t('clearFilters')}</Button>
    return (
      <EmptyState icon={<SearchX />} title={t('noMatch')} action={clear}>
        {t('noMatchHint')}
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={<Inbox />} title={t(`${description.list}.empty`)}>
      {t(`${description.list}.emptyHint`)}
    </EmptyState>
  )
}

function ListFailure({ inbox: { description, rows }, kind }: { inbox: InboxState; kind: ApiError['kind'] }) {
  const t = useTranslations('inbox')
  const common = useTranslations('common')
  const { list } = description
  const { data: status } = useStatus()
  // Where there is data, it was only too much at once.
  if (kind === 'not-ready' && !status?.lists[list]) return <NoDataYet lists={[list]} />
  if (kind === 'unauthorized') {
    return (
      <EmptyState icon={<Lock />} title={t('noAccess')}>
        {t('noAccessHint')}
      </EmptyState>
    )
  }
  const again = <Button onClick={rows.refetch}>{common('tryAgain')}</Button>
  return (
    <EmptyState icon={<CloudOff />} title={t('failed')} action={again}>
      {t(`failedHint.${kind === 'offline' ? 'offline' : 'other'}`)}
    </EmptyState>
  )
}

export function LeftOut({ inbox: { filters, counts } }: { inbox: InboxState }) {
  const t = useTranslations('inbox.leftOut')
  const hidden = counts?.hidden ?? { earlier: 0, snoozed: 0 }
  return (
    <p className="tabular edge flex min-h-8 flex-wrap items-center gap-x-3 border-t border-line-soft bg-panel py-1 text-xs text-mute empty:hidden print:hidden">
      <RestOfQueue show={t('show')} className={actClass} />
      {(['earlier', 'snoozed'] as const).map(
        (name) =>
          hidden[name] > 0 && (
            <Part
              key={name}
              text={t(name, { count: hidden[name] })}
              act={t('show')}
              onAct={() => filters.set({ [name]: 'all' })}
            />
          ),
      )}
    </p>
  )
}

const actClass =
  'inline-flex items-center font-medium text-ink underline decoration-line underline-offset-2 hover:decoration-current touch:min-h-11 touch:px-2'

function Part({ text, act, onAct }: { text: string; act: string; onAct: () => void }) {
  return (
    <span>
      {text}{' '}
      <button type="button" aria-label={`${act}: ${text}`} onClick={onAct} className={actClass}>
        {act}
      </button>
    </span>
  )
}

type StaleBannerProps = { known: Pick<SnapshotInfo, 'problem' | 'fetchedAt'>; isCutOff: boolean }

/** Why what is shown may be old. */
export function StaleBanner({ known: { problem, fetchedAt }, isCutOff }: StaleBannerProps) {
  const t = useTranslations('inbox')
  const moment = useDayAndTime()
  const when = moment(fetchedAt)
  return (
    <output className="edge flex gap-2.5 border-t border-line-soft bg-warn py-2.5 text-sm text-warn-ink">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span suppressHydrationWarning>
        {isCutOff ? t('notLive') : t(`problem.${problem === null ? 'stale' : problemKey(problem)}`, { when })}
        {problem !== null &&
          !problem.isHeldBack &&
          !isCutOff &&
          ` ${t('problem.since', { since: moment(problem.since) })}`}
      </span>
    </output>
  )
}
