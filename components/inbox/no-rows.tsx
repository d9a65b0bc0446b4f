import { useQueryClient } from '@tanstack/react-query'
import { Check, CloudOff, Inbox, Lock, SearchX } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useEffect, useRef } from 'react'
import { useCommands } from '@/components/app/commands'
import { useIsListMissing } from '@/components/app/feed-status'
import { useFirstOfQueue } from '@/components/app/first-of-queue'
import { DeskLink, useNavigate } from '@/components/app/navigate'
import { NoDataYet } from '@/components/app/no-data-yet'
import { useDayNumbers } from '@/components/app/own-changes'
import { useSchoolFilter } from '@/components/app/schools'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { EmptyState } from '@/components/ui/empty-state'
import { Kbd } from '@/components/ui/kbd'
import { isQueue, toLists } from '@/lib/api/leads'
import { ApiError } from '@/lib/api/send'
import type { Day } from '@/lib/contract/day'
import { isToDo } from '@/lib/inbox/filter-params'
import { type MenuQueue, findNextQueue } from '@/lib/inbox/queues'
import { LoadingRows } from './loading-rows'
import { useInbox } from './use-inbox'

export function NoRows() {
  const { listOrQueue, filters, rows } = useInbox()
  if (rows.data === undefined) return <ListFailure />
  // A search or a filter may hide leads of a queue that still wait.
  const mayHideLeads = filters.query.q !== undefined || (isQueue(listOrQueue) && filters.isFiltered)
  return mayHideLeads ? <EmptyList /> : <FinishedList />
}

function EmptyList() {
  const t = useTranslations('inbox')
  const { listOrQueue, filters, counts, haveCountsFailed, actions } = useInbox()
  const { query, isFiltered } = filters
  if (isQueue(listOrQueue)) {
    const clear = isFiltered && <Button text={t('queue.showAll')} onClick={actions.clearFilters} />
    const title = t(query.q === undefined ? 'queue.nothing' : 'queue.nothingFound')
    return <EmptyState icon={<Inbox />} title={title} action={clear} />
  }
  const earlierCount = query.earlier === false ? counts?.hidden.earlier : 0
  if (earlierCount === undefined) return haveCountsFailed ? <ListFailure /> : <LoadingRows />
  if (earlierCount > 0) {
    const title = t(isFiltered ? 'hidden.noMatch' : 'hidden.empty')
    const showAll = () => actions.setFilters({ earlier: 'all' })
    const action = <Button text={t('hidden.showAll', { count: earlierCount })} onClick={showAll} />
    return (
      <EmptyState icon={<Inbox />} title={title} hint={t('hidden.hint', { count: earlierCount })} action={action} />
    )
  }
  if (isFiltered) {
    const clear = <Button text={t('clearFilters')} onClick={actions.clearFilters} />
    return <EmptyState icon={<SearchX />} title={t('noMatch')} hint={t('noMatchHint')} action={clear} />
  }
  return <EmptyState icon={<Inbox />} title={t(`${listOrQueue}.empty`)} hint={t(`${listOrQueue}.emptyHint`)} />
}

/** Links to the next queue with leads, or says that all is done. */
function FinishedList() {
  const t = useTranslations('day')
  const { listOrQueue, filters } = useInbox()
  const [schools] = useSchoolFilter()
  const { data: day, error } = useDayNumbers(schools)
  const isWorkList = isQueue(listOrQueue) || isToDo(filters.params)
  if (day === undefined) return isWorkList && error === null ? null : <EmptyList />
  if (day.leads === 0 || !isWorkList) return <EmptyList />
  const queue = isQueue(listOrQueue) ? listOrQueue : null
  const title = t(`finished.title.${queue ?? 'none'}`)
  const next = findNextQueue(day, queue)
  if (next !== null) return <NextStep title={title} next={next} day={day} schools={schools} />
  const restText = day.waiting === 0 ? t('done.all') : t('finished.rest.waiting', { count: day.waiting })
  const laterText = day.snoozed > 0 ? ` ${t('finished.later', { count: day.snoozed })}` : ''
  return <EmptyState icon={<Check />} title={day.waiting === 0 ? t('done.title') : title} hint={restText + laterText} />
}

type NextStepProps = { title: string; next: MenuQueue; day: Day; schools: readonly string[] }

/** Enter opens the next queue. Its link takes the focus if no element has it, as after the last row has left. */
function NextStep({ title, next, day, schools }: NextStepProps) {
  const t = useTranslations('day.finished')
  const navigate = useNavigate()
  const linkBox = useRef<HTMLDivElement>(null)
  const { href, leadLabel } = useFirstOfQueue(next, schools)
  useCommands({ open: () => navigate(href) })
  useEffect(() => {
    if (document.activeElement === document.body) linkBox.current?.querySelector('a')?.focus({ preventScroll: true })
  }, [])
  const nextLink = (
    <div ref={linkBox}>
      <DeskLink href={href} className={buttonClass({ variant: 'primary' })}>
        {t('on', { queue: t(`these.${next}`) })}
        <Kbd>↵</Kbd>
      </DeskLink>
    </div>
  )
  const firstText = leadLabel === null ? '' : ` ${t('first', { who: leadLabel })}`
  const hint = t(`rest.${next}`, { count: day[next] }) + firstText
  return <EmptyState icon={<Check />} title={title} hint={hint} action={nextLink} />
}

function ListFailure() {
  const t = useTranslations('inbox')
  const tCommon = useTranslations('common')
  const client = useQueryClient()
  const { listOrQueue, rows } = useInbox()
  const kind = rows.error instanceof ApiError ? rows.error.kind : 'failed'
  const lists = toLists(listOrQueue)
  const isListMissing = useIsListMissing(lists)
  // A busy server answers `not-ready`, too, but a list that was fetched before has data.
  if (kind === 'not-ready' && isListMissing !== false) return <NoDataYet lists={lists} />
  if (kind === 'unauthorized') return <EmptyState icon={<Lock />} title={t('noAccess')} hint={t('noAccessHint')} />
  const retry = () =>
    void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status !== 'success' })
  return (
    <EmptyState
      icon={<CloudOff />}
      title={t('failed')}
      hint={t(`failedHint.${kind === 'offline' ? 'offline' : 'other'}`)}
      action={<Button text={tCommon('tryAgain')} onClick={retry} />}
    />
  )
}
