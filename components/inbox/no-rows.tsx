import { CloudOff, Inbox, Lock, SearchX } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Fragment } from 'react'
import { useStatus } from '@/components/desk/feed-status'
import { NothingYet } from '@/components/desk/nothing-yet'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { RestOfQueue } from '@/components/views/rest-of-queue'
import type { ApiError } from '@/lib/api/send'
import type { InboxState } from './use-inbox'

type NoRowsProps = { inbox: InboxState; failure: ApiError['kind'] | null }

export function NoRows({ inbox, failure }: NoRowsProps) {
  const t = useTranslations('inbox')
  const { filters, counts, description } = inbox
  const { isFiltered } = filters
  const count = counts?.hidden.earlier ?? 0
  if (failure !== null) return <ListFailure inbox={inbox} kind={failure} />
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
  if (kind === 'not-ready' && !status?.lists[list]) return <NothingYet lists={[list]} />
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
  const { params, set } = filters
  const hidden = counts?.hidden ?? { earlier: 0, snoozed: 0 }
  return (
    <p className="tabular edge flex min-h-8 flex-wrap items-center gap-x-3 border-t border-line-soft bg-panel py-1 text-xs text-mute empty:hidden print:hidden">
      <RestOfQueue show={t('show')} className={actClass} />
      {(['earlier', 'snoozed'] as const).map((name) => (
        <Fragment key={name}>
          {params[name] === 'all' && (
            <Part
              text={t(name === 'earlier' ? 'withEarlier' : 'withSnoozed')}
              act={t('hide')}
              onAct={() => set({ [name]: null })}
            />
          )}
          {hidden[name] > 0 && (
            <Part text={t(name, { count: hidden[name] })} act={t('show')} onAct={() => set({ [name]: 'all' })} />
          )}
        </Fragment>
      ))}
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
