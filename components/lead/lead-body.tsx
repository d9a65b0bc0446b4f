import { useLocale, useTranslations } from 'next-intl'
import { useToday } from '@/components/browser/clock'
import { Address, EmailFact, Fact, PhoneFact } from '@/components/contact/contact-facts'
import { ProtectedNotice } from '@/components/contact/protected-lead'
import { QuestionText } from '@/components/contact/question-text'
import { LazyArea } from '@/components/desk/lazy-area'
import { lazyPart } from '@/components/desk/lazy-part'
import { useSchoolNames } from '@/components/desk/schools'
import { History } from '@/components/notes/history'
import { Moment } from '@/components/notes/lead-event'
import { StatusDot } from '@/components/triage/status-dot'
import { cn } from '@/components/ui/cn'
import { Skeleton } from '@/components/ui/loading'
import type { LeadItem } from '@/lib/api/leads'
import type { LeadKind, LeadWork } from '@/lib/contract/lead'
import { isClosed } from '@/lib/contract/lists'
import { contactOf, isQuestion, kindOf, nameOf } from '@/lib/inbox/lead-text'
import { dayAndMonth, noonOf } from '@/lib/time/format-date'
import { dayWord } from '@/lib/time/format-time'
import { epochDay, stockholmDay } from '@/lib/time/stockholm'
import type { LeadDecisions } from './lead-toolbar'

/** Where a person is answered; its code comes with the first open lead, or earlier when the browser is idle. */
export const ReplyDesk = lazyPart(
  async () => (await import('./reply-desk')).ReplyDesk,
  <Skeleton className="mt-4 h-8 w-56 in-data-asked:mt-5 in-data-asked:h-72 in-data-asked:w-full" />,
  'reply',
)

export function LeadBody({ kind, item, decide }: { kind: LeadKind; item: LeadItem; decide: LeadDecisions }) {
  const lead = { kind, id: item.id }
  return (
    <article className="lead-body" data-asked={(isQuestion(item) && !isClosed(item.triage.status)) || undefined}>
      {item.protected !== undefined && <ProtectedNotice people={item.protected.people} />}
      <LeadHead item={item} />
      {isQuestion(item) ? (
        <div className="mb-6 max-w-[62ch] text-[1.0625rem] leading-relaxed">
          <QuestionText text={item.question} />
        </div>
      ) : (
        <Ways item={item} />
      )}
      <ReplyDesk lead={lead} item={item} decide={decide} />
      <LazyArea area="contact">
        <History
          lead={lead}
          item={item}
          onHandled={(handled) => decide.onLeave(item, handled)}
          onUndone={decide.onGoBack}
        />
      </LazyArea>
    </article>
  )
}

function LeadHead({ item }: { item: LeadItem }) {
  const t = useTranslations('lead')
  const schools = useSchoolNames()
  const year = isQuestion(item) ? null : item.user.highSchoolEnrollmentYear
  const name = nameOf(item)
  const missing = t(isQuestion(item) ? 'noSender' : 'noName')
  return (
    <header className="mb-5">
      <h2 dir="auto" className="text-left text-xl font-semibold wrap-anywhere">
        {name === null ? <span className="text-faint italic">{missing}</span> : <Address text={name} />}
      </h2>
      <p className="mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-mute">
        <StatusWord status={item.triage.status} kind={kindOf(item)} />
        <span className="wrap-anywhere">{schools.of(item)}</span>
        {year !== null && <span className="tabular">{t('starts', { year: String(year) })}</span>}
        <Moment at={item.createdAt} isPlain />
        <LazyArea area="reply">
          <Deadline item={item} />
        </LazyArea>
      </p>
    </header>
  )
}

function StatusWord({ status, kind }: Pick<LeadItem['triage'], 'status'> & { kind: LeadKind }) {
  const t = useTranslations('common.status')
  return (
    <span data-status={status} className="flex items-center gap-1.5">
      <StatusDot status={status} kind={kind} />
      <span className={status === 'new' ? 'sr-only' : undefined}>{t(status)}</span>
    </span>
  )
}

/** How the person behind a declaration is reached. A question has its answer in this place. */
function Ways({ item }: { item: LeadItem }) {
  const t = useTranslations('lead')
  const { email, phone } = contactOf(item)
  const missing = <span className="font-normal text-faint">{t('missing')}</span>
  return (
    <dl className="rounded-lg border border-line bg-panel shadow-card">
      {email === null ? <Fact name={t('field.email')}>{missing}</Fact> : <EmailFact email={email} />}
      {phone === null ? <Fact name={t('field.phone')}>{missing}</Fact> : <PhoneFact phone={phone} isPlain />}
    </dl>
  )
}

function Deadline({ item }: { item: LeadItem }) {
  const t = useTranslations('reply.meta')
  const locale = useLocale()
  const today = useToday()
  const goal = deadlineOf(item, today)
  if (goal === null) return null
  if (goal.is === 'today') return <span>{t('today')}</span>
  const day = goal.is === 'by' ? dayAndMonth(goal.day, locale) : dayWord(noonOf(goal.day), today, locale)
  return <span className={cn(goal.is === 'late' && 'font-medium text-late')}>{t(goal.is, { day })}</span>
}

/** The last day (numbered from 1970) on which a lead that waits is to be answered, and where today is. */
export function deadlineOf({ waitingSince, due, late }: LeadWork, nowMs: number) {
  if (waitingSince === null || due === null) return null
  const is = late ? ('late' as const) : due === stockholmDay(nowMs) ? ('today' as const) : ('by' as const)
  return { day: epochDay(due), is }
}
