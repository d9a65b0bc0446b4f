import { useQueryClient } from '@tanstack/react-query'
import { Check, CloudOff, Inbox, Lock, SearchX } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useRef } from 'react'
import { useCommands } from '@/components/app/commands'
import { useStatus } from '@/components/app/feed-status'
import { withMessages } from '@/components/app/lazy-area'
import { DeskLink, useNavigate } from '@/components/app/navigate'
import { NoDataYet } from '@/components/app/no-data-yet'
import { useSchoolFilter } from '@/components/app/schools'
import { useFirstOf } from '@/components/app/first-of-queue'
import { useDay } from '@/components/app/use-triage'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { EmptyState } from '@/components/ui/empty-state'
import { Kbd } from '@/components/ui/kbd'
import { isQueue, leadKeys, listsOf, type Place } from '@/lib/api/leads'
import type { ApiError } from '@/lib/api/send'
import type { Day } from '@/lib/contract/day'
import { isToDo } from '@/lib/inbox/filter-params'
import { nextQueue } from '@/lib/inbox/queues'
import type { InboxState } from './inbox-state'
import { LoadingRows } from './lead-rows'
import { useActs, useInbox } from './use-inbox'

const noneIn = ({ place, filters, rows, counts }: InboxState) => ({
  place,
  filters,
  isWork: isQueue(place) || isToDo(filters.params) || rows.hadSome,
  /** Undefined until it is counted. */
  earlier: filters.query.earlier === false ? counts?.hidden.earlier : 0,
})

export function NoRows({ failure }: { failure: ApiError['kind'] | null }) {
  const { place, filters, isWork } = useInbox(noneIn)
  if (failure !== null) return <ListFailure kind={failure} />
  const nothing = <Nothing />
  if (filters.query.q !== undefined) return nothing
  // Of one kind of a queue nothing is left: the rest of it is not finished.
  if (isQueue(place) && filters.isFiltered) return nothing
  return <Finished place={place} isWork={isWork} empty={nothing} />
}

function Nothing() {
  const t = useTranslations('inbox')
  const { place, filters, earlier: count } = useInbox(noneIn)
  const { clearFilters, setFilters } = useActs()
  const { isFiltered } = filters
  if (isQueue(place)) {
    const clear = isFiltered && <Button text={t('queue.showAll')} onClick={clearFilters} />
    const title = t(filters.query.q === undefined ? 'queue.nothing' : 'queue.nothingFound')
    return <EmptyState icon={<Inbox />} title={title} action={clear} />
  }
  if (count === undefined) return <LoadingRows />
  if (count > 0) {
    const showAll = <Button text={t('leftOut.showAll', { count })} onClick={() => setFilters({ earlier: 'all' })} />
    return (
      <EmptyState
        icon={<Inbox />}
        title={t(isFiltered ? 'leftOut.noMatch' : 'leftOut.empty')}
        hint={t('leftOut.hint', { count })}
        action={showAll}
      />
    )
  }
  if (isFiltered) {
    const clear = <Button text={t('clearFilters')} onClick={clearFilters} />
    return <EmptyState icon={<SearchX />} title={t('noMatch')} hint={t('noMatchHint')} action={clear} />
  }
  return <EmptyState icon={<Inbox />} title={t(`${place}.empty`)} hint={t(`${place}.emptyHint`)} />
}

/** `isWork`: what was there is done, whether or not it is a queue. */
type FinishedProps = { place: Place; isWork: boolean; empty: ReactNode }

/** A list of work with nothing left: leads on to what is next, and says that all is done only when nobody waits. */
const Finished = withMessages(FinishedQueue, ['day'])

function FinishedQueue({ place, isWork, empty }: FinishedProps) {
  const t = useTranslations('day')
  const [schools] = useSchoolFilter()
  const { data: day, error } = useDay(schools)
  if (day === undefined) return isWork && error === null ? null : empty
  if (day.leads === 0 || !isWork) return empty
  const at = isQueue(place) ? place : null
  const title = t(`finished.title.${at ?? 'none'}`)
  const next = nextQueue(day, at)
  if (next !== null) return <NextStep title={title} next={next} day={day} schools={schools} />
  const rest = day.waiting === 0 ? t('done.all') : t('finished.rest.waiting', { count: day.waiting })
  const later = day.snoozed > 0 ? ` ${t('finished.later', { count: day.snoozed })}` : ''
  return <EmptyState icon={<Check />} title={day.waiting === 0 ? t('done.title') : title} hint={rest + later} />
}

type NextStepProps = {
  title: string
  next: NonNullable<ReturnType<typeof nextQueue>>
  day: Day
  schools: readonly string[]
}

/** Enter goes on; the focus is there when the last row took it away. */
function NextStep({ title, next, day, schools }: NextStepProps) {
  const t = useTranslations('day.finished')
  const go = useNavigate()
  const box = useRef<HTMLDivElement>(null)
  const { href, who } = useFirstOf(next, schools, day)
  useCommands({ open: () => go(href) })
  useEffect(() => {
    if (document.activeElement === document.body) box.current?.querySelector('a')?.focus({ preventScroll: true })
  }, [])
  const onward = (
    <div ref={box}>
      <DeskLink href={href} className={buttonClass({ variant: 'primary' })}>
        {t('on', { queue: t(`these.${next}`) })}
        <Kbd>↵</Kbd>
      </DeskLink>
    </div>
  )
  const first = who === null ? '' : ` ${t('first', { who })}`
  return (
    <EmptyState icon={<Check />} title={title} hint={t(`rest.${next}`, { count: day[next] }) + first} action={onward} />
  )
}

function ListFailure({ kind }: { kind: ApiError['kind'] }) {
  const {
    place,
    filters: { query },
  } = useInbox(noneIn)
  const client = useQueryClient()
  const t = useTranslations('inbox')
  const common = useTranslations('common')
  const lists = listsOf(place)
  const { data: status } = useStatus()
  // Where there is data, it was only too much at once.
  if (kind === 'not-ready' && lists.some((list) => !status?.lists[list])) return <NoDataYet lists={lists} />
  if (kind === 'unauthorized') {
    return <EmptyState icon={<Lock />} title={t('noAccess')} hint={t('noAccessHint')} />
  }
  const again = (
    <Button
      text={common('tryAgain')}
      onClick={() => void client.refetchQueries({ queryKey: leadKeys.pages(place, query) })}
    />
  )
  return (
    <EmptyState
      icon={<CloudOff />}
      title={t('failed')}
      hint={t(`failedHint.${kind === 'offline' ? 'offline' : 'other'}`)}
      action={again}
    />
  )
}
