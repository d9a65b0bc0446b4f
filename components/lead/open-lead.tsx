import { useQuery } from '@tanstack/react-query'
import { AlarmClock, CloudOff, FileX2, ListX, ShieldAlert } from 'lucide-react'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { type RefObject, useEffect, useState } from 'react'
import { useToday } from '@/components/app/clock'
import { lazyPart } from '@/components/app/lazy-part'
import { useIsLive } from '@/components/app/live'
import { useSchoolNames } from '@/components/app/schools'
import { StatusDot } from '@/components/app/status-dot'
import { useOwnChanges } from '@/components/app/use-triage'
import {
  EmailAddress,
  EmailFact,
  Fact,
  PhoneFact,
  ProtectedNotice,
  QuestionText,
  Timestamp,
} from '@/components/contact/contact-facts'
import { cancelWriting, useWritingRequest } from '@/components/contact/writing-request'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { restoreFocus } from '@/components/ui/focus-return'
import { Kbd } from '@/components/ui/kbd'
import { Skeleton } from '@/components/ui/loading'
import { toast } from '@/components/ui/toast'
import { type LeadItem, singleLeadQuery } from '@/lib/api/leads'
import { refreshOptions } from '@/lib/api/polling'
import { isClosed, type ListDescription } from '@/lib/contract/lists'
import { displayNameOf, emailAndPhoneOf, isQuestion } from '@/lib/inbox/lead-text'
import type { Subject } from '@/lib/inbox/list-state'
import { isStillSnoozed, patchLead } from '@/lib/inbox/own-changes'
import { leadKey } from '@/lib/leads/lead-key'
import { formatDayMonth, formatWeekdayDate, toNoonMs } from '@/lib/time/format-date'
import { formatRelativeDay } from '@/lib/time/format-time'
import { epochDay, stockholmDay } from '@/lib/time/stockholm'
import type { LeadHandlers, LeadProps } from './lead-props'
import { LeadToolbar, ThumbBar } from './lead-toolbar'
import { useIsOpened } from './use-is-opened'

const ReplyPanel = lazyPart(
  async () => (await import('./reply-panel')).ReplyPanel,
  <Skeleton className="mt-4 h-8 w-56 in-data-asked:mt-5 in-data-asked:h-72 in-data-asked:w-full" />,
  'reply',
)
const LeadHistory = lazyPart(
  async () => (await import('@/components/contact/history')).LeadHistory,
  <Skeleton className="mt-6 h-24 w-full" />,
  'contact',
)

/** The editors are preloaded, so that answers and notes can be written without a network, too. */
export const preloadEditors = () => Promise.all([ReplyPanel.load(), LeadHistory.load()])

export type OpenLeadProps = LeadHandlers & {
  description: ListDescription
  id: string
  listItem: LeadItem | undefined
  missingReason: Subject['missingReason']
  pane: RefObject<HTMLElement | null>
  /** It is false where the list shows the lead by itself: that does not count as opening it, and a phone shows the list. */
  isChosen: boolean
}

export function OpenLead({ id, description, listItem, missingReason, pane, isChosen, ...handlers }: OpenLeadProps) {
  const t = useTranslations('lead')
  const common = useTranslations('common')
  const lead = { kind: description.kind, id }
  const key = leadKey(lead)
  const isOpened = useIsOpened(pane, lead, isChosen)
  const { item, status, retry } = useLead(description, id, listItem)
  const isHidden = item?.protected?.isHidden === true
  useWritingRequest(lead, () => {
    if (status === 'loading' || (status === 'shown' && !isHidden)) return undefined
    toast(t('nothingToWrite'), { topic: 'reply' })
    return false
  })
  const { kind } = description
  useEffect(() => {
    // In a low window the pane itself scrolls, and each lead is read from its top.
    pane.current?.scrollTo({ top: 0 })
    // The element that had the focus is removed with the lead.
    return () => {
      cancelWriting({ kind, id })
      setTimeout(restoreFocus)
    }
  }, [pane, kind, id])
  return (
    <>
      <LeadToolbar lead={lead} item={item} handlers={handlers} isOpened={isOpened} />
      {missingReason !== null && item !== undefined && (
        <output className="edge flex shrink-0 items-center gap-2 border-b border-line-soft bg-side py-1.5 text-xs text-mute">
          <ListX className="size-3.5 shrink-0" />
          {t(`apart.${missingReason}`)}
        </output>
      )}
      {item !== undefined && <SnoozeNotice item={item} onUnsnooze={() => handlers.onUnsnooze(item)} />}
      {/* The key resets scrolling, disclosures and texts for each lead. */}
      <div
        key={`lead ${key}`}
        className="@container scroll-thin min-h-0 flex-1 overflow-y-auto overscroll-contain low:flex-none low:overflow-visible"
      >
        {status === 'loading' && (
          <div className="lead-body">
            <output className="sr-only">{common('loading')}</output>
            <Skeleton className="h-36 w-full" />
          </div>
        )}
        {status === 'gone' && (
          <EmptyState
            icon={<FileX2 />}
            title={t('gone')}
            hint={t('goneHint')}
            action={<Button text={t('back')} onClick={handlers.onClose} />}
          />
        )}
        {status === 'failed' && (
          <EmptyState
            icon={<CloudOff />}
            title={t('failed')}
            action={<Button text={common('tryAgain')} onClick={retry} />}
          />
        )}
        {item !== undefined && isHidden && <HiddenLead item={item} />}
        {item !== undefined && !isHidden && (
          <LeadBody lead={lead} item={item} handlers={handlers} isOpened={isOpened} />
        )}
      </div>
      {item !== undefined && <ThumbBar key={`bar ${key}`} lead={lead} item={item} handlers={handlers} />}
    </>
  )
}

/** The texts of a lead are in the HTML of the page; the editors are loaded after it. */
function LeadBody({ lead, item, handlers, isOpened }: LeadProps) {
  const t = useTranslations('lead')
  const common = useTranslations('common.status')
  const schools = useSchoolNames()
  const name = displayNameOf(item)
  const { status } = item.triage
  const { email, phone } = emailAndPhoneOf(item)
  const missing = <span className="font-normal text-faint">{t('missing')}</span>
  const year = isQuestion(item) ? null : item.user.highSchoolEnrollmentYear
  return (
    <article className="lead-body" data-asked={(isQuestion(item) && !isClosed(status)) || undefined}>
      {item.protected !== undefined && <ProtectedNotice people={item.protected.people} />}
      <header className="mb-5">
        <h2 dir="auto" className="text-left text-xl font-semibold wrap-anywhere">
          {name === null ? (
            <span className="text-faint italic">{t(isQuestion(item) ? 'noSender' : 'noName')}</span>
          ) : (
            <EmailAddress email={name} />
          )}
        </h2>
        <p className="mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-mute">
          <span data-status={status} className="flex items-center gap-1.5">
            <StatusDot status={status} kind={lead.kind} />
            <span className={status === 'new' ? 'sr-only' : undefined}>{common(status)}</span>
          </span>
          <span className="wrap-anywhere">{schools.nameForLead(item)}</span>
          {year !== null && <span className="tabular">{t('starts', { year: String(year) })}</span>}
          <Timestamp time={item.createdAt} isInline />
          <Deadline item={item} />
        </p>
      </header>
      {isQuestion(item) ? (
        <div className="mb-6 max-w-[62ch] text-[1.0625rem] leading-relaxed">
          <QuestionText text={item.question} />
        </div>
      ) : (
        <dl className="rounded-lg border border-line bg-panel shadow-card">
          {email === null ? <Fact name={t('field.email')}>{missing}</Fact> : <EmailFact email={email} />}
          {phone === null ? <Fact name={t('field.phone')}>{missing}</Fact> : <PhoneFact phone={phone} isTextOnly />}
        </dl>
      )}
      <ReplyPanel lead={lead} item={item} handlers={handlers} isOpened={isOpened} />
      {isOpened && (
        <LeadHistory
          lead={lead}
          item={item}
          onHandled={(handled) => handlers.onFinished(item, handled)}
          onUndone={handlers.onReturn}
        />
      )}
    </article>
  )
}

function Deadline({ item: { waitingSince, due, late } }: { item: LeadItem }) {
  const t = useTranslations('lead.due')
  const locale = useLocale()
  const today = useToday()
  if (waitingSince === null || due === null) return null
  const day = epochDay(due)
  const relativeDay = formatRelativeDay(toNoonMs(day), today, locale)
  if (late) return <span className="font-medium text-late">{t('late', { day: relativeDay })}</span>
  return (
    <span suppressHydrationWarning>
      {due === stockholmDay(today) ? t('today') : t('by', { day: formatDayMonth(day, locale) })}
    </span>
  )
}

function SnoozeNotice({ item: { snoozeUntil }, onUnsnooze }: { item: LeadItem; onUnsnooze: () => void }) {
  const t = useTranslations('lead')
  const locale = useLocale()
  const today = stockholmDay(useToday())
  if (snoozeUntil === null) return null
  const isSnoozed = isStillSnoozed(snoozeUntil, today)
  return (
    <output className="edge flex shrink-0 flex-wrap items-center gap-x-2 border-b border-line-soft bg-accent-soft py-1 text-sm text-ink">
      <AlarmClock className="size-4 shrink-0 text-accent" />
      <span className="tabular">
        {t(isSnoozed ? 'comesBack' : 'cameBack', { day: formatWeekdayDate(snoozeUntil, today, locale) })}
      </span>
      {isSnoozed && <Button text={t('takeBack')} variant="ghost" size="sm" onClick={onUnsnooze} />}
    </output>
  )
}

function HiddenLead({ item }: { item: LeadItem }) {
  const t = useTranslations('lead.protected')
  const schools = useSchoolNames()
  const format = useFormatter()
  const people = item.protected?.people ?? []
  return (
    <EmptyState
      icon={<ShieldAlert />}
      title={t('title')}
      hint={
        <>
          <p className="font-medium wrap-anywhere">{schools.nameForLead(item)}</p>
          <p>{t('hidden')}</p>
          <p>
            {people.length === 0 ? t('askAdmin') : t('ask', { people: format.list(people, { type: 'disjunction' }) })}
          </p>
        </>
      }
    />
  )
}

function useLead(description: ListDescription, id: string, listItem: LeadItem | undefined) {
  const { data, isError, refetch } = useQuery({
    ...singleLeadQuery(description.list, id),
    ...refreshOptions(useIsLive()),
    enabled: listItem === undefined,
  })
  const ownChanges = useOwnChanges()
  const [lastListed, setLastListed] = useState(listItem)
  if (listItem !== undefined && listItem !== lastListed) setLastListed(listItem)
  const fetched = data?.items[0] && patchLead(ownChanges, description.kind, data.items[0], data)
  // A lead that has just left the loaded rows stays on screen until the answer arrives.
  const item = listItem ?? fetched ?? (data === undefined && lastListed?.id === id ? lastListed : undefined)
  let status: 'loading' | 'failed' | 'gone' | 'shown' = 'loading'
  if (item !== undefined) status = 'shown'
  else if (data !== undefined) status = 'gone'
  else if (isError) status = 'failed'
  return { item, status, retry: () => void refetch() }
}

export function NoLeadOpen() {
  const t = useTranslations('lead')
  return (
    <p className="m-auto p-6 text-center text-sm text-faint touch:hidden">
      {t.rich('pickHint', { kbd: (key) => <Kbd>{key}</Kbd> })}
    </p>
  )
}
