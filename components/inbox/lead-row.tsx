import { useLocale, useTranslations } from 'next-intl'
import { lazy, memo, type MouseEvent, Suspense } from 'react'
import { StatusDot } from '@/components/triage/status-dot'
import { Avatar } from '@/components/ui/avatar'
import type { LeadItem } from '@/lib/api/leads'
import type { LeadStatus } from '@/lib/contract/lead'
import { isQuestion, nameOf, openingOf, wayBesideHeading } from '@/lib/inbox/lead-text'
import { shortTime } from '@/lib/time/format-time'

type LeadRowProps = {
  item: LeadItem
  index: number
  count: number
  school: string
  search: string
  /** Any moment of today; the same all day, so that rows render again only when the day turns. */
  today: number
  isCursor: boolean
  isOpen: boolean
  isMarked: boolean
  /** A press anywhere on the row marks it. */
  isMarking: boolean
  onOpen: (id: string, index: number) => void
  onMark: (id: string, index: number, isRange: boolean) => void
}

/** A lead in two lines; a press opens or marks it. Memoised: rows come and go with every turn of the wheel. */
export const LeadRow = memo(function LeadRow(props: LeadRowProps) {
  const { item, index, count, school, search, today, isCursor, isOpen, isMarked, isMarking, onOpen, onMark } = props
  const t = useTranslations('common')
  const { status, assignee } = item.triage
  const press = (event: MouseEvent) => {
    const isOnMark = event.target instanceof Element && event.target.closest('[data-mark]') !== null
    if (event.shiftKey || isOnMark || isMarking) onMark(item.id, index, event.shiftKey)
    else onOpen(item.id, index)
  }
  return (
    <div
      role="option"
      id={`row-${index}`}
      aria-selected={isOpen}
      aria-checked={isMarked}
      aria-setsize={count}
      aria-posinset={index + 1}
      data-cursor={isCursor}
      data-unhandled={status === 'new'}
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onClick={press}
      className="group relative grid h-full cursor-pointer touch-pan-y grid-cols-[1rem_1fr_auto] content-center items-baseline gap-x-3 gap-y-0.5 border-l-2 border-transparent bg-panel pr-4 pl-3.5 transition-transform duration-150 hover:not-aria-selected:not-aria-checked:bg-[linear-gradient(var(--color-hover),var(--color-hover))] aria-checked:bg-accent-soft aria-selected:border-accent aria-selected:bg-selected data-[cursor=true]:not-aria-selected:not-aria-checked:bg-[linear-gradient(var(--color-hover),var(--color-hover))] data-[cursor=true]:not-aria-selected:border-line"
    >
      <Mark status={status} />
      <span dir="auto" className="truncate text-start font-normal group-data-[unhandled=true]:font-semibold">
        <Heading item={item} search={search} />
      </span>
      <RowTime at={item.createdAt} today={today} />
      <span className="col-span-2 col-start-2 flex min-w-0 items-center gap-1.5 text-sm text-mute">
        <Contact item={item} search={search} school={school} />
        {assignee !== null && (
          <span className="ml-auto self-center pl-1.5">
            <Avatar name={assignee.name} title={t('assignedTo', { name: assignee.name })} />
          </span>
        )}
      </span>
    </div>
  )
})

/** The status, in whose place a box to tick comes up under the pointer and while leads are being marked. */
function Mark({ status }: { status: LeadStatus }) {
  const t = useTranslations('common.status')
  return (
    <span data-mark className="-m-2 grid place-items-center self-center p-2">
      <span className="col-start-1 row-start-1 group-aria-checked:opacity-0 group-data-[marking=true]/list:opacity-0 group-hover:opacity-0">
        <StatusDot status={status} label={t(status)} />
      </span>
      <span
        aria-hidden
        className="col-start-1 row-start-1 grid size-4 place-items-center rounded-xs border border-field-line bg-panel text-accent-ink opacity-0 group-hover:opacity-100 group-aria-checked:border-accent group-aria-checked:bg-accent group-aria-checked:opacity-100 group-data-[marking=true]/list:opacity-100"
      >
        <svg viewBox="0 0 16 16" className="invisible size-3.5 group-aria-checked:visible" fill="none">
          <path d="m3.5 8.5 3 3 6-7" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
        </svg>
      </span>
    </span>
  )
}

function Heading({ item, search }: { item: LeadItem; search: string }) {
  const t = useTranslations('inbox')
  if (isQuestion(item)) {
    const opening = openingOf(item.question)
    return opening === '' ? <Missing>{t('noQuestion')}</Missing> : <Highlight text={opening} query={search} />
  }
  const name = nameOf(item)
  return name === null ? <Missing>{t('nameMissing')}</Missing> : <Highlight text={name} query={search} />
}

function Missing({ children }: { children: string }) {
  return <span className="text-faint italic">{children}</span>
}

/** Year, school and how to reach the person. */
function Contact({ item, search, school }: { item: LeadItem; search: string; school: string }) {
  const way = wayBesideHeading(item)
  const year = isQuestion(item) ? null : item.user.highSchoolEnrollmentYear
  return (
    <>
      {year !== null && (
        <span className="tabular shrink-0 rounded-sm border border-line px-1.25 text-2xs font-semibold">{year}</span>
      )}
      <span className="truncate">
        {school}
        {way !== null && (
          <>
            <span className="text-faint"> · </span>
            <Highlight text={way.text} query={search} phone={way.is === 'phone'} />
          </>
        )}
      </span>
    </>
  )
}

/** When a lead came, as short as a row needs. A moment that cannot be read leaves the place empty. */
function RowTime({ at, today }: { at: string; today: number }) {
  const locale = useLocale()
  const ms = Date.parse(at)
  return (
    <time dateTime={at} suppressHydrationWarning className="tabular text-xs text-faint">
      {Number.isNaN(ms) ? '' : shortTime(ms, today, locale)}
    </time>
  )
}

/** A text with what the search met marked, once there is a search. */
function Highlight({ text, query, phone = false }: { text: string; query: string; phone?: boolean }) {
  if (query === '') return text
  return (
    <Suspense fallback={text}>
      <MarkedText text={text} query={query} phone={phone} />
    </Suspense>
  )
}

const MarkedText = lazy(async () => {
  const { matchRanges, phoneMatchRanges } = await import('@/lib/inbox/match-ranges')
  return {
    default: ({ text, query, phone }: { text: string; query: string; phone: boolean }) => {
      const parts = phone ? phoneMatchRanges(text, query) : matchRanges(text, query)
      return parts.map((part) => (part.match ? <mark key={part.at}>{part.text}</mark> : part.text))
    },
  }
})
