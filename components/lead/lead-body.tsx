import { ContactRound } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useContact } from '@/components/triage/use-pending'
import { useToday } from '@/components/browser/clock'
import { DeskLink } from '@/components/desk/go'
import {
  Address,
  EmailFact,
  Fact,
  MinorMark,
  PhoneFact,
  useMinor,
  VcardAction,
} from '@/components/contact/contact-facts'
import { ProtectedNotice } from '@/components/contact/protected-lead'
import { QuestionText, Timeline, Updated } from '@/components/contact/timeline'
import { LazyArea } from '@/components/desk/lazy-area'
import { lazyPart } from '@/components/desk/lazy-part'
import { useSchoolNames } from '@/components/desk/schools'
import { Notes } from '@/components/notes/notes'
import { Badge } from '@/components/ui/badge'
import { buttonClass } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Skeleton } from '@/components/ui/loading'
import type { LeadItem } from '@/lib/api/leads'
import type { LeadKind, LeadWork } from '@/lib/contract/lead'
import { contactOf, isQuestion, nameOf } from '@/lib/inbox/lead-text'
import { dayAndMonth, fullTime } from '@/lib/time/format-date'
import { daysSince, epochDay, stockholmDay } from '@/lib/time/stockholm'
import type { LeadDecisions } from './lead-toolbar'

/** Where a person is answered; its code comes with the first open lead, or earlier when the browser is idle. */
export const ReplyDesk = lazyPart(
  async () => (await import('./reply-desk')).ReplyDesk,
  <Skeleton className="mt-5 h-72 w-full" />,
  'reply',
)

export function LeadBody({ kind, item, decide }: { kind: LeadKind; item: LeadItem; decide: LeadDecisions }) {
  const isAsked = isQuestion(item)
  const lead = { kind, id: item.id }
  return (
    <article className="lead-body" data-asked={isAsked || undefined}>
      <div>
        {item.protected !== undefined && <ProtectedNotice people={item.protected.people} />}
        <LeadHead item={item} />
        {isAsked ? (
          <div className="mb-6 max-w-[62ch] text-[1.0625rem] leading-relaxed">
            <QuestionText text={item.question} />
          </div>
        ) : (
          <LeadFacts kind={kind} item={item} />
        )}
        <ReplyDesk lead={lead} item={item} decide={decide} />
      </div>
      <LazyArea area="contact">
        <div data-beside>
          {isAsked && (
            <div className="@container mt-7">
              <LeadFacts kind={kind} item={item} />
            </div>
          )}
          <Timeline open={item} onHandled={(handled) => decide.onLeave(item, handled)} onUndone={decide.onGoBack} />
          {isAsked && <Notes lead={lead} school={item.highSchoolId} />}
        </div>
        {!isAsked && <Notes lead={lead} school={item.highSchoolId} />}
      </LazyArea>
      <LeadIds kind={kind} item={item} />
    </article>
  )
}

/** Who it is, and in one line what kind of lead, which school, and for how long it has waited. */
function LeadHead({ item }: { item: LeadItem }) {
  const t = useTranslations('lead')
  const schools = useSchoolNames()
  const isAsked = isQuestion(item)
  const year = isAsked ? null : item.user.highSchoolEnrollmentYear
  const name = nameOf(item)
  const missing = t(isAsked ? 'noSender' : 'noName')
  return (
    <>
      <header className="flex items-start gap-3">
        <h2 dir="auto" className="min-w-0 flex-1 text-left text-xl font-semibold wrap-anywhere">
          {name === null ? <span className="text-faint italic">{missing}</span> : <Address text={name} />}
        </h2>
        <DeskLink
          href={`/contacts/${item.contactId}`}
          aria-label={t('showContact')}
          className={buttonClass({ size: 'sm', variant: 'ghost', className: '-mr-2.5 mt-px touch:-my-1.75' })}
        >
          <ContactRound aria-hidden className="size-4" />
          <span className="hidden @lg:inline">{t('showContact')}</span>
        </DeskLink>
      </header>
      <div className="mt-1.5 mb-5 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-mute">
        {(isAsked || year !== null) && <Badge>{isAsked ? t('question') : t('starts', { year: String(year) })}</Badge>}
        <span className="wrap-anywhere">{schools.of(item)}</span>
        {isAsked && <ReceivedAt at={item.createdAt} />}
        <LazyArea area="reply">
          <WaitedWords item={item} />
        </LazyArea>
        <MinorMark minor={useMinor(item)} />
      </div>
    </>
  )
}

function LeadFacts({ kind, item }: { kind: LeadKind; item: LeadItem }) {
  const t = useTranslations('lead')
  const modes = useTranslations('inbox.mode')
  const { email, phone } = contactOf(item)
  const mode = isQuestion(item) ? item.sender.mode : null
  const missing = <span className="font-normal text-faint">{t('missing')}</span>
  const vcard = (email ?? phone) !== null && item.protected === undefined && (
    <VcardAction lead={{ kind, id: item.id }} />
  )
  return (
    <dl className="rounded-lg border border-line bg-panel shadow-card">
      {email !== null && <EmailFact email={email} />}
      {email === null && mode === null && <Fact name={t('field.email')}>{missing}</Fact>}
      {phone !== null && <PhoneFact phone={phone} />}
      {phone === null && mode === null && <Fact name={t('field.phone')}>{missing}</Fact>}
      {/* A way of contact that we have no word for is shown as the service says it. */}
      {mode !== null && <Fact name={t('field.mode')}>{mode === 'email' || mode === 'phone' ? modes(mode) : mode}</Fact>}
      <Fact name={t(mode === null ? 'field.declared' : 'field.asked')} actions={vcard}>
        <ReceivedAt at={item.createdAt} />
      </Fact>
    </dl>
  )
}

function WaitedWords({ item }: { item: LeadItem }) {
  const t = useTranslations('reply.meta')
  const locale = useLocale()
  const waited = waitedOf(item, useToday())
  if (waited === null || (waited.days === 0 && waited.goal === null)) return null
  const { days, goal } = waited
  const words = [
    ...(days > 0 ? [t('waited', { days })] : []),
    ...(goal === null ? [] : [goal.is === 'today' ? t('today') : t(goal.is, { day: dayAndMonth(goal.day, locale) })]),
  ]
  return <span className={cn(goal?.is === 'late' && 'font-medium text-late')}>{words.join(', ')}</span>
}

function ReceivedAt({ at }: { at: string }) {
  const locale = useLocale()
  const ms = Date.parse(at)
  return <time dateTime={at}>{Number.isNaN(ms) ? at : fullTime(ms, locale)}</time>
}

/** What support asks for, and who would otherwise never need it; the end of the page. */
function LeadIds({ kind, item }: { kind: LeadKind; item: LeadItem }) {
  const t = useTranslations('lead')
  const { data } = useContact(item.contactId)
  // A list does not say who; the timeline above does, of the same moment.
  const known = data?.leads.find((other) => other.kind === kind && other.lead.id === item.id)?.lead.triage
  return (
    <footer className="mt-5 flex flex-wrap gap-x-4 gap-y-1 text-xs text-faint">
      <Updated triage={known?.updatedAt === item.triage.updatedAt ? known : item.triage} />
      <span className="wrap-anywhere">{t('id', { id: item.id })}</span>
      <span className="wrap-anywhere">{t('schoolId', { id: item.highSchoolId })}</span>
    </footer>
  )
}

type Waited = {
  days: number
  /** With a goal: its last day (numbered from 1970), and where today is. */
  goal: { day: number; is: 'late' | 'today' | 'by' } | null
}

/** How long a lead has waited for an answer; null where it does not. Days are of the calendar. */
export function waitedOf({ waitingSince, due, late }: LeadWork, nowMs: number): Waited | null {
  if (waitingSince === null || Number.isNaN(Date.parse(waitingSince))) return null
  const days = Math.max(0, daysSince(waitingSince, nowMs))
  if (due === null) return { days, goal: null }
  const is = late ? 'late' : due === stockholmDay(nowMs) ? 'today' : 'by'
  return { days, goal: { day: epochDay(due), is } }
}
