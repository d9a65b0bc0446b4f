import { CloudOff, Inbox, Lock, SearchX, TriangleAlert } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useEffect, useEffectEvent } from 'react'
import { useDayAndTime } from '@/components/browser/clock'
import { useStatus, problemKey } from '@/components/desk/feed-status'
import { NoDataYet } from '@/components/desk/no-data-yet'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { isQueue, type LeadItem, listsOf } from '@/lib/api/leads'
import { isQuestion, nameOf, openingOf } from '@/lib/inbox/lead-text'
import type { ApiError } from '@/lib/api/send'
import type { SnapshotInfo } from '@/lib/contract/feed-status'
import { isToDo } from '@/lib/inbox/filter-params'
import { Finished } from './finished'
import type { InboxState } from './use-inbox'

type NoRowsProps = { inbox: InboxState; failure: ApiError['kind'] | null }

export function NoRows({ inbox, failure }: NoRowsProps) {
  const { place, filters, rows } = inbox
  const { showWaiting, waiting } = rows
  const show = useEffectEvent(showWaiting)
  // Nothing is on screen that new leads could move.
  useEffect(() => {
    if (waiting > 0) show()
  }, [waiting])
  if (failure !== null) return <ListFailure inbox={inbox} kind={failure} />
  const nothing = <Nothing inbox={inbox} />
  if (filters.query.q !== undefined) return nothing
  // Of one kind of a queue nothing is left: the rest of it is not finished.
  if (isQueue(place) && filters.isFiltered) return nothing
  const isWork = isQueue(place) || isToDo(filters.params) || rows.hadSome
  return <Finished place={place} isWork={isWork} empty={nothing} />
}

function Nothing({ inbox: { place, filters, counts } }: { inbox: InboxState }) {
  const t = useTranslations('inbox')
  const { isFiltered } = filters
  if (isQueue(place)) {
    const clear = isFiltered && <Button onClick={filters.clear}>{t('queue.showAll')}</Button>
    const title = t(filters.query.q === undefined ? 'queue.nothing' : 'queue.nothingFound')
    return <EmptyState icon={<Inbox />} title={title} action={clear} />
  }
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
    <EmptyState icon={<Inbox />} title={t(`${place}.empty`)}>
      {t(`${place}.emptyHint`)}
    </EmptyState>
  )
}

function ListFailure({ inbox: { place, rows }, kind }: { inbox: InboxState; kind: ApiError['kind'] }) {
  const t = useTranslations('inbox')
  const common = useTranslations('common')
  const lists = listsOf(place)
  const { data: status } = useStatus()
  // Where there is data, it was only too much at once.
  if (kind === 'not-ready' && lists.some((list) => !status?.lists[list])) return <NoDataYet lists={lists} />
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

function Part({ text, act, onAct }: { text: string; act: string; onAct: () => void }) {
  return (
    <span>
      {text}{' '}
      <button
        type="button"
        aria-label={`${act}: ${text}`}
        onClick={onAct}
        className="inline-flex items-center font-medium text-ink underline decoration-line underline-offset-2 hover:decoration-current touch:min-h-11 touch:px-2"
      >
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

/** Which lead has come up: "3 of 1 204, Åsa Öberg, New". With no lead open, the focus in the list says it. */
export function CursorWords({ inbox: { cursor, rows }, item }: { inbox: InboxState; item: LeadItem }) {
  const t = useTranslations('inbox')
  const status = useTranslations('common.status')
  const known = isQuestion(item) ? openingOf(item.question) : nameOf(item)
  const name = known || t(item.protected ? 'protected' : 'nameMissing')
  return t('at', { place: cursor.index + 1, count: rows.count, name, status: status(item.triage.status) })
}
