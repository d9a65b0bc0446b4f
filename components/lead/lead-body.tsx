import { useLocale, useTranslations } from 'next-intl'
import { useIsHydrated } from '@/components/ui/browser-tab'
import { useToday } from '@/components/app/clock'
import { Address, EmailFact, Fact, PhoneFact } from '@/components/contact/contact-facts'
import { ProtectedNotice } from '@/components/contact/protected-lead'
import { QuestionText } from '@/components/contact/question-text'
import { lazyPart } from '@/components/app/lazy-part'
import { useSchoolNames } from '@/components/app/schools'
import { Moment } from '@/components/contact/lead-event'
import { StatusDot } from '@/components/app/status-dot'
import { Skeleton } from '@/components/ui/loading'
import type { LeadItem } from '@/lib/api/leads'
import type { LeadRef, LeadStatus } from '@/lib/contract/lead'
import { isClosed } from '@/lib/contract/lists'
import { contactOf, isQuestion, nameOf } from '@/lib/inbox/lead-text'
import { dayAndMonth, noonOf } from '@/lib/time/format-date'
import { dayWord } from '@/lib/time/format-time'
import { epochDay, stockholmDay } from '@/lib/time/stockholm'
import type { ReplyDecisions } from './use-reply'

const replySpace = <Skeleton className="mt-4 h-8 w-56 in-data-asked:mt-5 in-data-asked:h-72 in-data-asked:w-full" />
const replyCode = () => import('./reply-desk')
const ReplyDesk = lazyPart(async () => (await replyCode()).ReplyDesk, replySpace, 'reply')

const historyCode = () => import('@/components/contact/history')
const History = lazyPart(
  async () => (await historyCode()).History,
  <Skeleton className="mt-6 h-24 w-full" />,
  'contact',
)

/** For answers and notes, which must be writable without a network too. */
export const loadWriting = () =>
  Promise.all([
    ReplyDesk.load(),
    replyCode().then(({ loadChannels }) => loadChannels()),
    History.load(),
    historyCode().then(({ NoteComposer }) => NoteComposer.load()),
  ])

export type LeadDecisions = ReplyDecisions & {
  onStatus: (item: LeadItem, status: LeadStatus) => void
  onTake: (item: LeadItem) => void
  onAssign: (item: LeadItem) => void
  onPutAside: (item: LeadItem) => void
  onBack: (item: LeadItem) => void
}

type LeadBodyProps = { lead: LeadRef; item: LeadItem; decide: LeadDecisions; isOpened: boolean }

/** What one reads of a lead is in the HTML of the page; where one writes comes after it. */
export function LeadBody({ lead, item, decide, isOpened }: LeadBodyProps) {
  const t = useTranslations('lead')
  const common = useTranslations('common.status')
  const schools = useSchoolNames()
  const isHydrated = useIsHydrated()
  const name = nameOf(item)
  const { status } = item.triage
  const { email, phone } = contactOf(item)
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
            <Address text={name} />
          )}
        </h2>
        <p className="mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-mute">
          <span data-status={status} className="flex items-center gap-1.5">
            <StatusDot status={status} kind={lead.kind} />
            <span className={status === 'new' ? 'sr-only' : undefined}>{common(status)}</span>
          </span>
          <span className="wrap-anywhere">{schools.of(item)}</span>
          {year !== null && <span className="tabular">{t('starts', { year: String(year) })}</span>}
          <Moment at={item.createdAt} isPlain />
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
          {phone === null ? <Fact name={t('field.phone')}>{missing}</Fact> : <PhoneFact phone={phone} isPlain />}
        </dl>
      )}
      {isHydrated ? <ReplyDesk lead={lead} item={item} decide={decide} isOpened={isOpened} /> : replySpace}
      {isHydrated && isOpened && (
        <History
          lead={lead}
          item={item}
          onHandled={(handled) => decide.onLeave(item, handled)}
          onUndone={decide.onGoBack}
        />
      )}
    </article>
  )
}

/** The day by which a lead that waits is to be answered. */
function Deadline({ item: { waitingSince, due, late } }: { item: LeadItem }) {
  const t = useTranslations('lead.due')
  const locale = useLocale()
  const today = useToday()
  if (waitingSince === null || due === null) return null
  const day = epochDay(due)
  if (late)
    return <span className="font-medium text-late">{t('late', { day: dayWord(noonOf(day), today, locale) })}</span>
  return (
    <span suppressHydrationWarning>
      {due === stockholmDay(today) ? t('today') : t('by', { day: dayAndMonth(day, locale) })}
    </span>
  )
}
