import { useLocale, useTranslations } from 'next-intl'
import { useStartOfToday } from '@/components/app/clock'
import { lazyPart } from '@/components/app/lazy-part'
import { useSchoolNames } from '@/components/app/schools'
import { StatusDot } from '@/components/app/status-dot'
import { Timestamp } from '@/components/app/timestamp'
import { EmailFact, Fact, PhoneFact, ProtectedNotice } from '@/components/contact/contact-facts'
import { QuestionText } from '@/components/contact/question-text'
import { Skeleton } from '@/components/ui/loading'
import type { LeadItem } from '@/lib/api/leads'
import { isClosed } from '@/lib/contract/lists'
import { findDisplayName, readEmailAndPhone, isQuestion } from '@/lib/inbox/lead-text'
import { formatEpochDay, toNoonMs } from '@/lib/time/format-date'
import { formatRelativeDay } from '@/lib/time/format-time'
import { parseIsoDay, toStockholmDay } from '@/lib/time/stockholm'
import type { LeadProps } from './lead-props'

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

/** Preloads the editors, so that answers and notes can be written without a network, too. */
export const preloadEditors = () => Promise.all([ReplyPanel.preload(), LeadHistory.preload()])

/** The lead's texts are in the HTML of the page; the editors load after it, so that the lead is shown sooner. */
export function LeadBody({ lead, item, actions, isOpened }: LeadProps) {
  const t = useTranslations('lead')
  const tStatus = useTranslations('common.status')
  const schoolNames = useSchoolNames()
  const name = findDisplayName(item)
  const { status } = item.triage
  const { email, phone } = readEmailAndPhone(item)
  const missingText = <span className="font-normal text-faint">{t('missing')}</span>
  const enrollmentYear = isQuestion(item) ? null : item.user.highSchoolEnrollmentYear
  return (
    <article className="lead-body" data-asked={(isQuestion(item) && !isClosed(status)) || undefined}>
      {item.protected && <ProtectedNotice people={item.protected.people} />}
      <header className="mb-5">
        <h2 dir="auto" className="text-left text-xl font-semibold wrap-anywhere">
          {name ?? <span className="text-faint italic">{t(isQuestion(item) ? 'noSender' : 'noName')}</span>}
        </h2>
        <p className="mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-mute">
          <span data-status={status} className="flex items-center gap-1.5">
            <StatusDot status={status} kind={lead.kind} />
            <span className={status === 'new' ? 'sr-only' : undefined}>{tStatus(status)}</span>
          </span>
          <span className="wrap-anywhere">{schoolNames.nameForLead(item)}</span>
          {enrollmentYear !== null && <span className="tabular">{t('starts', { year: String(enrollmentYear) })}</span>}
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
          {email === null ? <Fact name={t('field.email')}>{missingText}</Fact> : <EmailFact email={email} />}
          {phone === null ? <Fact name={t('field.phone')}>{missingText}</Fact> : <PhoneFact phone={phone} isTextOnly />}
        </dl>
      )}
      <ReplyPanel lead={lead} item={item} actions={actions} isOpened={isOpened} />
      {isOpened && (
        <LeadHistory
          lead={lead}
          item={item}
          onHandled={(handledLeads) => actions.goToNextLead(item, handledLeads)}
          onUndone={actions.returnToLead}
        />
      )}
    </article>
  )
}

function Deadline({ item: { waitingSince, due, late } }: { item: LeadItem }) {
  const t = useTranslations('lead.due')
  const locale = useLocale()
  const startOfToday = useStartOfToday()
  if (waitingSince === null || due === null) return null
  const dueDay = parseIsoDay(due)
  if (late) {
    const relativeDay = formatRelativeDay(toNoonMs(dueDay), startOfToday, locale)
    return <span className="font-medium text-late">{t('late', { day: relativeDay })}</span>
  }
  return (
    <span suppressHydrationWarning>
      {due === toStockholmDay(startOfToday) ? t('today') : t('by', { day: formatEpochDay(dueDay, 'dayMonth', locale) })}
    </span>
  )
}
