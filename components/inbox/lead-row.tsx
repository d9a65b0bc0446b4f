import { PencilLine } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { type ComponentType, Fragment, memo, type MouseEvent, useSyncExternalStore } from 'react'
import { useCurrentUser } from '@/components/app/current-user'
import { StatusDot } from '@/components/app/status-dot'
import { Avatar } from '@/components/ui/avatar'
import type { LeadItem } from '@/lib/api/leads'
import type { AskedQuestionItem, LeadKind, LeadStatus } from '@/lib/contract/lead'
import type { foundLead, FoundLead, TextPart } from '@/lib/inbox/found-lead'
import { isQuestion, keyOf, kindOf, nameOf, openingOf, waysBesideHeading } from '@/lib/inbox/lead-text'
import type { LeadKey } from '@/lib/leads/lead-key'
import { replyMarks } from '@/lib/inbox/reply-marks'
import type { QueryOf } from './list-filters'
import { otherYear, rowDeadline, rowStrip } from '@/lib/inbox/row-words'
import { dayWord } from '@/lib/time/format-time'

export type LeadRowProps = {
  item: LeadItem
  index: number
  count: number
  queue: QueueParts | null
  school: string
  schoolOf: (id: string) => string
  search: string
  /** Finds where the search matches; undefined until its code is there. */
  find: typeof foundLead | undefined
  /** Any moment of today; the same all day, so that rows render again only when the day turns. */
  today: number
  /** Whose year goes without saying. */
  cohort: number | null
  isCursor: boolean
  isOpen: boolean
  /** New since the last visit, though its date is earlier. */
  isLate: boolean
  isMarked: boolean
  isMarking: boolean
  onOpen: (key: LeadKey, index: number) => void
  onMark: (key: LeadKey, index: number, isRange: boolean) => void
}

/** What a queue shows otherwise than a list does: among leads of both kinds each says what it is, in two lines. */
export type QueueParts = {
  Total: ComponentType
  Kinds: ComponentType
  Words: ComponentType<LeadRowProps>
  About: ComponentType<Pick<LeadRowProps, 'item' | 'school' | 'cohort'> & Matched>
  queryOf: QueryOf
}

/** A lead in two lines, a question among questions in three. Memoised: rows come and go with every turn of the wheel. */
export const LeadRow = memo(function LeadRow(props: LeadRowProps) {
  const { item, index, count, queue, search, find, today, isCursor, isOpen, isMarked, isMarking, onOpen, onMark } =
    props
  const t = useTranslations('common')
  const { status, assignee } = item.triage
  const matched = search === '' ? null : (find?.(item, search) ?? null)
  const press = (event: MouseEvent) => {
    const isOnMark = event.target instanceof Element && event.target.closest('[data-mark]') !== null
    if (event.shiftKey || isOnMark || isMarking) onMark(keyOf(item), index, event.shiftKey)
    else onOpen(keyOf(item), index)
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
      className="lead-row group edge"
    >
      <Mark status={status} label={t(`status.${status}`)} kind={kindOf(item)} />
      <span className="flex min-w-0 items-baseline">
        <span dir="auto" className="truncate text-left font-normal group-data-[unhandled=true]:font-semibold">
          <Heading item={item} matched={matched} />
        </span>
        <DraftMark item={item} isLate={props.isLate} />
        {queue && <queue.Words {...props} />}
      </span>
      <RowTime item={item} today={today} isQueue={queue !== null} />
      {isQuestion(item) && queue === null && (
        <span dir="auto" className="col-span-2 col-start-2 truncate text-left text-sm">
          <Question item={item} matched={matched} />
        </span>
      )}
      <span className="col-span-2 col-start-2 flex min-w-0 items-center gap-1.5 text-sm text-mute">
        {queue ? <queue.About {...props} matched={matched} /> : <Strip {...props} matched={matched} />}
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
function Mark({ status, label, kind }: { status: LeadStatus; label: string; kind: LeadKind }) {
  return (
    <span data-mark className="-m-2 grid place-items-center self-center p-2">
      <span className="row-status">
        <StatusDot status={status} label={label} kind={kind} />
      </span>
      <span aria-hidden className="row-tick">
        <svg viewBox="0 0 16 16" className="invisible size-3.5 group-aria-checked:visible" fill="none">
          <path d="m3.5 8.5 3 3 6-7" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
        </svg>
      </span>
    </span>
  )
}

/** A draft, from the first letter on until the reply is sent; else that the lead came late. */
function DraftMark({ item, isLate }: Pick<LeadRowProps, 'item' | 'isLate'>) {
  const t = useTranslations('inbox.row')
  const owner = useCurrentUser()?.id ?? ''
  const lead = { kind: kindOf(item), id: item.id }
  const has = useSyncExternalStore(
    replyMarks.subscribe,
    () => replyMarks.has(window.sessionStorage, owner, lead),
    () => false,
  )
  if (!has) return isLate && <span className="ml-2 text-xs font-semibold text-accent">{t('late')}</span>
  return (
    <span className="ml-2 text-xs font-semibold whitespace-nowrap text-accent">
      <PencilLine className="mr-1 inline size-3 align-[-0.1em]" />
      {t('draft')}
    </span>
  )
}

export type Matched = { matched: FoundLead | null }

function Heading({ item, matched }: { item: LeadItem } & Matched) {
  const t = useTranslations('inbox')
  if (item.protected?.isHidden) return <span className="is-protected">{t('protected')}</span>
  const text = nameOf(item)
  if (text === null) return <span className={missingClass}>{t('nameMissing')}</span>
  return <bdi>{matched === null ? text : <Parts parts={matched.heading} />}</bdi>
}

export function Question({ item, matched }: { item: AskedQuestionItem } & Matched) {
  const t = useTranslations('inbox')
  const text = openingOf(item.question)
  if (item.protected?.isHidden) return null
  if (text === '') return <span className={missingClass}>{t('noQuestion')}</span>
  return matched?.question ? <Parts parts={matched.question} /> : <span>{text}</span>
}

const missingClass = 'text-faint italic'

type StripProps = Pick<LeadRowProps, 'item' | 'school' | 'schoolOf' | 'today' | 'cohort'> & Matched

function Strip({ item, matched, school, schoolOf, today, cohort }: StripProps) {
  const t = useTranslations('inbox.row')
  const locale = useLocale()
  const year = otherYear(item, cohort)
  const words = rowStrip(item, { t, today, locale, schoolOf, cohort })
  const [way] = waysBesideHeading(item)
  if (words.length === 0 && !matched?.ways.length && way !== undefined) words.push(way.text)
  return (
    <>
      {year !== null && <span className="row-year">{year}</span>}
      <span suppressHydrationWarning className="truncate">
        <WaysMet matched={matched} />
        <span>{school}</span>
        {words.map((word) => (
          <Fragment key={word}>
            <Dot />
            <span>{word}</span>
          </Fragment>
        ))}
      </span>
    </>
  )
}

export function WaysMet({ matched }: Matched) {
  return matched?.ways.map((parts) => (
    <Fragment key={textOf(parts)}>
      <bdi>
        <Parts parts={parts} />
      </bdi>
      <Dot />
    </Fragment>
  ))
}

function Dot() {
  return <span className="text-faint"> · </span>
}

/** When a lead came, or until when it is to be answered. Empty when the moment cannot be read. */
function RowTime({ item, today, isQueue }: { item: LeadItem; today: number; isQueue: boolean }) {
  const t = useTranslations('inbox.row')
  const locale = useLocale()
  const ms = Date.parse(item.createdAt)
  const deadline = rowDeadline(item, { t, today, locale, isQueue })
  return (
    <time dateTime={item.createdAt} data-late={item.late} suppressHydrationWarning className="row-time">
      {deadline ?? (Number.isNaN(ms) ? '' : dayWord(ms, today, locale))}
    </time>
  )
}

export function Parts({ parts }: { parts: readonly TextPart[] }) {
  return parts.map(({ at, match, text }) => (match ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>))
}

function textOf(parts: readonly TextPart[]): string {
  return parts.map(({ text }) => text).join('')
}
