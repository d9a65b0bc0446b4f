import { useQueryClient } from '@tanstack/react-query'
import { Check, CloudOff, Inbox, Lock, SearchX, TriangleAlert } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useRef } from 'react'
import { useIsOnline } from '@/components/browser/browser-tab'
import { useDayAndTime } from '@/components/browser/clock'
import { useCommands } from '@/components/desk/commands'
import { problemKey, useStatus } from '@/components/desk/feed-status'
import { withMessages } from '@/components/desk/lazy-area'
import { DeskLink, useNavigate } from '@/components/desk/navigate'
import { NoDataYet } from '@/components/desk/no-data-yet'
import { useSchoolFilter } from '@/components/desk/schools'
import { useFirstOf } from '@/components/triage/first-of-queue'
import { useDay } from '@/components/triage/use-day'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'
import { EmptyState } from '@/components/ui/empty-state'
import { Kbd } from '@/components/ui/kbd'
import { isQueue, type LeadItem, leadKeys, listsOf, type Place } from '@/lib/api/leads'
import type { ApiError } from '@/lib/api/send'
import type { Day } from '@/lib/contract/day'
import type { SnapshotInfo } from '@/lib/contract/feed-status'
import { isToDo } from '@/lib/inbox/filter-params'
import { isQuestion, nameOf, openingOf } from '@/lib/inbox/lead-text'
import { nextQueue } from '@/lib/inbox/queues'
import { cursorIn, type InboxState } from './inbox-state'
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
  const queues = useTranslations('inbox.queues')
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
        {t('on', { queue: queues(next) })}
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

/** Under the rows: why they may be old, and what the list leaves out by itself. */
export function ListFoot() {
  return (
    <>
      <Stale />
      <LeftOut />
    </>
  )
}

const ageIn = ({ place, rows }: InboxState) => ({
  place,
  snapshot: rows.data?.snapshot,
  hasFailed: rows.error !== null,
})

function Stale() {
  const { place, snapshot, hasFailed } = useInbox(ageIn)
  // A fault changes no lead, so the list is not read again for it; the status is.
  const { data: status } = useStatus()
  const isOnline = useIsOnline()
  if (snapshot === undefined) return null
  const all = listsOf(place).flatMap((list) => status?.lists[list] ?? [])
  const isOld = ({ stale, problem }: typeof snapshot) => stale || problem !== null
  const known = all.find(isOld) ?? all[0] ?? snapshot
  const isCutOff = !isOnline || hasFailed
  return (isOld(known) || isCutOff) && <StaleBanner known={known} isCutOff={isCutOff} />
}

const hiddenIn = ({ counts }: InboxState) => counts?.hidden ?? NONE_HIDDEN
const NONE_HIDDEN = { earlier: 0, snoozed: 0 }

function LeftOut() {
  const t = useTranslations('inbox.leftOut')
  const hidden = useInbox(hiddenIn)
  const { setFilters } = useActs()
  const shown = (['earlier', 'snoozed'] as const).filter((name) => hidden[name] > 0)
  if (shown.length === 0) return null
  return (
    <p className="tabular edge flex min-h-8 flex-wrap items-center gap-x-3 border-t border-line-soft bg-panel py-1 text-xs text-mute print:hidden">
      {shown.map((name) => (
        <span key={name}>
          {t(name, { count: hidden[name] })}{' '}
          <button
            type="button"
            aria-label={`${t('show')}: ${t(name, { count: hidden[name] })}`}
            onClick={() => setFilters({ [name]: name === 'snoozed' ? '1' : 'all' })}
            className="inline-flex items-center font-medium text-ink underline decoration-line underline-offset-2 hover:decoration-current touch:min-h-11 touch:px-2"
          >
            {t('show')}
          </button>
        </span>
      ))}
    </p>
  )
}

type StaleBannerProps = { known: Pick<SnapshotInfo, 'problem' | 'fetchedAt'>; isCutOff: boolean }

function StaleBanner({ known: { problem, fetchedAt }, isCutOff }: StaleBannerProps) {
  const t = useTranslations()
  const moment = useDayAndTime()
  const texts = [
    problem && `${t(`status.problem.${problemKey(problem)}`)}.`,
    t('inbox.asOf', { when: moment(fetchedAt) }),
    problem && t('status.since', { since: moment(problem.since) }),
  ]
  return (
    <output className="edge flex gap-2.5 border-t border-line-soft bg-warn py-2.5 text-sm text-warn-ink">
      <TriangleAlert className="mt-0.5 size-4 shrink-0" />
      <span suppressHydrationWarning>{isCutOff ? t('status.unreachable') : texts.filter(Boolean).join(' ')}</span>
    </output>
  )
}

const placeIn = (state: InboxState) => ({ place: cursorIn(state).row + 1, count: state.rows.count })

/** Which lead has come up: "3 of 1 204, Åsa Öberg, New". With no lead open, the focus in the list says it. */
export function CursorWords({ item }: { item: LeadItem }) {
  const { place, count } = useInbox(placeIn)
  const t = useTranslations('inbox')
  const status = useTranslations('common.status')
  const known = isQuestion(item) ? openingOf(item.question) : nameOf(item)
  const name = known || t(item.protected ? 'protected' : 'nameMissing')
  return <span>{t('at', { place, count, name, status: status(item.triage.status) })}</span>
}
