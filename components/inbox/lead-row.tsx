import { PencilLine } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { Fragment, memo, type MouseEvent, useSyncExternalStore } from 'react'
import { useCurrentUser } from '@/components/app/current-user'
import type { useSchoolNames } from '@/components/app/schools'
import { StatusDot } from '@/components/app/status-dot'
import { Avatar } from '@/components/ui/avatar'
import { HighlightedText } from '@/components/ui/highlighted-text'
import type { LeadItem } from '@/lib/api/leads'
import type { AskedQuestionItem } from '@/lib/contract/lead'
import { draftIndex, hasNoteDraft } from '@/lib/inbox/draft-index'
import type { HighlightedLead } from '@/lib/inbox/highlighted-lead'
import { findDisplayName, isQuestion, listPersonDetails, cutOpening, toLeadKey, toLeadRef } from '@/lib/inbox/lead-text'
import { describeDeadline, findYearOfOtherCohort, shortenSchoolName, toRowTexts } from '@/lib/inbox/row-text'
import type { LeadKey } from '@/lib/leads/lead-key'
import { formatRelativeDay } from '@/lib/time/format-time'

const placeholderClass = 'text-faint italic'

/** All rows share one settings object, which keeps its identity, so that scrolling renders only new rows. */
export type RowSettings = {
  rowCount: number
  isQueue: boolean
  schools: ReturnType<typeof useSchoolNames>
  /** Marks what the search has found; null without a search. */
  highlight: ((item: LeadItem) => HighlightedLead) | null
  /** The start of today. */
  todayMs: number
  /** Rows show the enrollment year only of other cohorts than this one. */
  cohort: number | null
  isMarking: boolean
  onOpen: (key: LeadKey, index: number) => void
  onMark: (key: LeadKey, index: number, isRange: boolean) => void
}

type LeadRowProps = {
  item: LeadItem
  index: number
  settings: RowSettings
  isCursor: boolean
  isOpen: boolean
  /** The lead is new since the last visit, though its date is earlier. */
  isBackdated: boolean
  isMarked: boolean
}

export const LeadRow = memo(function LeadRow(props: LeadRowProps) {
  const { item, index, settings, isCursor, isOpen, isBackdated, isMarked } = props
  const { rowCount, isQueue, schools, highlight, todayMs, cohort, isMarking, onOpen, onMark } = settings
  const t = useTranslations('common')
  const tRow = useTranslations('inbox.row')
  const locale = useLocale()
  const { status, assignee } = item.triage
  const highlights = highlight?.(item) ?? null
  const factsProps = { item, cohort, highlights, school: schools.nameForLead(item) }
  const texts = toRowTexts(item, { t: tRow, todayMs, locale, toSchoolName: schools.nameById, cohort })
  const createdAtMs = Date.parse(item.createdAt)
  const createdText = Number.isNaN(createdAtMs) ? '' : formatRelativeDay(createdAtMs, todayMs, locale)
  const onClick = (event: MouseEvent) => {
    const isOnMark = event.target instanceof Element && event.target.closest('[data-mark]') !== null
    if (event.shiftKey || isOnMark || isMarking) onMark(toLeadKey(item), index, event.shiftKey)
    else onOpen(toLeadKey(item), index)
  }
  return (
    <div
      role="option"
      id={`row-${index}`}
      aria-selected={isOpen}
      aria-checked={isMarked}
      aria-setsize={rowCount}
      aria-posinset={index + 1}
      data-cursor={isCursor}
      data-unhandled={status === 'new'}
      // A press with Shift marks rows, and must not select their text.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onClick={onClick}
      className="lead-row group edge"
    >
      {/* The tick box replaces the status under the pointer and while leads are marked. */}
      <span data-mark className="-m-2 grid place-items-center self-center p-2">
        <span className="row-status">
          <StatusDot status={status} label={t(`status.${status}`)} kind={toLeadRef(item).kind} />
        </span>
        <span aria-hidden className="row-tick">
          <svg viewBox="0 0 16 16" className="invisible size-3.5 group-aria-checked:visible" fill="none">
            <path d="m3.5 8.5 3 3 6-7" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
          </svg>
        </span>
      </span>
      <span className="flex min-w-0 items-baseline">
        <span dir="auto" className="truncate text-left font-normal group-data-[unhandled=true]:font-semibold">
          <LeadHeading item={item} highlights={highlights} />
        </span>
        <RowBadge item={item} isBackdated={isBackdated} />
        {isQueue && texts.length > 0 && (
          <span suppressHydrationWarning className="ml-2 min-w-0 flex-1 basis-0 truncate text-xs text-mute">
            {texts.join(' · ')}
          </span>
        )}
      </span>
      <time dateTime={item.createdAt} data-late={item.late} suppressHydrationWarning className="row-time">
        {describeDeadline(item, { t: tRow, todayMs, locale, isQueue }) ?? createdText}
      </time>
      {isQuestion(item) && !isQueue && (
        <span dir="auto" className="col-span-2 col-start-2 truncate text-left text-sm">
          <QuestionPreview item={item} highlights={highlights} />
        </span>
      )}
      <span className="col-span-2 col-start-2 flex min-w-0 items-center gap-1.5 text-sm text-mute">
        {isQueue ? <QueueFacts {...factsProps} /> : <ListFacts {...factsProps} texts={texts} />}
        {assignee !== null && (
          <span className="ml-auto self-center pl-1.5">
            <Avatar name={assignee.name} title={t('assignedTo', { name: assignee.name })} />
          </span>
        )}
      </span>
    </div>
  )
})

function RowBadge({ item, isBackdated }: Pick<LeadRowProps, 'item' | 'isBackdated'>) {
  const t = useTranslations('inbox.row')
  const owner = useCurrentUser()?.id ?? ''
  const lead = toLeadRef(item)
  const readHasDraft = () =>
    draftIndex.hasReplyDraft(window.sessionStorage, owner, lead) || hasNoteDraft(window.sessionStorage, owner, lead)
  const hasDraft = useSyncExternalStore(draftIndex.subscribe, readHasDraft, () => false)
  if (!hasDraft && !isBackdated) return null
  return (
    <span className="ml-2 text-xs font-semibold whitespace-nowrap text-accent">
      {hasDraft && <PencilLine className="mr-1 inline size-3 align-[-0.1em]" />}
      {t(hasDraft ? 'draft' : 'backdated')}
    </span>
  )
}

type HighlightProps = { highlights: HighlightedLead | null }

function LeadHeading({ item, highlights }: { item: LeadItem } & HighlightProps) {
  const t = useTranslations('inbox')
  if (item.protected?.isHidden) return <span className="is-protected">{t('protected')}</span>
  const text = findDisplayName(item)
  if (text === null) return <span className={placeholderClass}>{t('nameMissing')}</span>
  return <bdi>{highlights === null ? text : <HighlightedText parts={highlights.heading} />}</bdi>
}

function QuestionPreview({ item, highlights }: { item: AskedQuestionItem } & HighlightProps) {
  const t = useTranslations('inbox')
  if (item.protected?.isHidden) return null
  const text = cutOpening(item.question)
  if (text === '') return <span className={placeholderClass}>{t('noQuestion')}</span>
  return highlights?.question ? <HighlightedText parts={highlights.question} /> : <span>{text}</span>
}

type FactsProps = HighlightProps & { item: LeadItem; cohort: number | null; school: string }

function ListFacts({ item, highlights, school, cohort, texts }: FactsProps & { texts: readonly string[] }) {
  const year = findYearOfOtherCohort(item, cohort)
  // A row without other texts has room for the person's e-mail or phone, unless the search shows it already.
  // The first detail is already the heading.
  const [, detail] = listPersonDetails(item)
  const hasRoom = texts.length === 0 && !highlights?.details.length
  const shownTexts = hasRoom && detail !== undefined ? [detail.text] : texts
  return (
    <>
      {year !== null && <span className="row-year">{year}</span>}
      <span suppressHydrationWarning className="truncate">
        <MatchedDetails highlights={highlights} />
        <span>{school}</span>
        {shownTexts.map((text) => (
          <Fragment key={text}>
            <Dot />
            <span>{text}</span>
          </Fragment>
        ))}
      </span>
    </>
  )
}

function QueueFacts({ item, highlights, school, cohort }: FactsProps) {
  const t = useTranslations('inbox.queue')
  const year = findYearOfOtherCohort(item, cohort)
  return (
    <span dir="auto" className="truncate text-left">
      <span className="mr-1.5 text-ink">{shortenSchoolName(school)}</span>
      <MatchedDetails highlights={highlights} />
      {isQuestion(item) ? (
        <QuestionPreview item={item} highlights={highlights} />
      ) : (
        <span>{t(year === null ? 'declaration' : 'declarationYear', { year: String(year) })}</span>
      )}
    </span>
  )
}

function MatchedDetails({ highlights }: HighlightProps) {
  return highlights?.details.map((parts) => (
    <Fragment key={parts.map(({ text }) => text).join('')}>
      <bdi>
        <HighlightedText parts={parts} />
      </bdi>
      <Dot />
    </Fragment>
  ))
}

function Dot() {
  return <span className="text-faint"> · </span>
}
