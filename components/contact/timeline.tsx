import { useLocale, useTranslations } from 'next-intl'
import { usePathname, useSearchParams } from 'next/navigation'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useContact } from '@/components/triage/use-pending'
import { DeskLink } from '@/components/desk/go'
import { useToday } from '@/components/browser/clock'
import { useSchoolNames } from '@/components/desk/schools'
import { Moment } from '@/components/notes/notes'
import { StatusDot } from '@/components/triage/status-dot'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { LoadFailure } from '@/components/ui/load-failure'
import { Skeleton } from '@/components/ui/loading'
import { SectionHeading } from '@/components/ui/headings'
import type { LeadItem } from '@/lib/api/leads'
import type { Contact, LeadKind, LeadRef, Triage } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { isQuestion, nameOf } from '@/lib/inbox/lead-text'
import { dayAndTime } from '@/lib/time/format-time'
import { inAreas } from '@/components/desk/lazy-area'
import { AllOpen } from './all-open'
import { type Connection, connectionBetween, isSamePerson } from './person'

type TimelineProps = {
  open: LeadItem
  onHandled: (handled: readonly LeadRef[]) => void
  onUndone: (leads: readonly LeadRef[]) => void
}

export function Timeline({ open, ...handlers }: TimelineProps) {
  const t = useTranslations('contact.timeline')
  const { data, isError, refetch } = useContact(open.contactId)
  return (
    <section aria-labelledby="timeline" className="mt-7">
      <SectionHeading id="timeline" count={data?.total}>
        {t('title')}
      </SectionHeading>
      {data !== undefined && <Entries contact={data} open={open} {...handlers} />}
      {data === undefined && isError && <LoadFailure onRetry={() => void refetch()}>{t('failed')}</LoadFailure>}
      {data === undefined && !isError && (
        <span className="flex flex-col gap-3">
          <Skeleton className="h-5 w-72 max-w-full" />
          <Skeleton className="h-5 w-60 max-w-full" />
        </span>
      )}
    </section>
  )
}

const SHOWN_FIRST = 8

function Entries({ contact: { leads, total }, open, ...handlers }: TimelineProps & { contact: Contact }) {
  const t = useTranslations('contact.timeline')
  const [isWhole, setWhole] = useState(false)
  const isOpen = (lead: LeadItem) => lead.id === open.id && isQuestion(lead) === isQuestion(open)
  if (leads.length <= 1) return <p className="text-sm text-mute">{t('only')}</p>
  const shown = isWhole ? leads : leads.filter(({ lead }, index) => index < SHOWN_FIRST || isOpen(lead))
  const from = leads.find(({ lead }) => isOpen(lead))
  const same = leads.filter(({ lead }) => isOpen(lead) || isSamePerson(connectionBetween(open, lead)))
  return (
    <>
      <AllOpen leads={same} from={from && { kind: from.kind, id: open.id }} {...handlers} />
      <ol className="ml-1.75 border-l-2 border-line">
        {shown.map(({ kind, lead }) => {
          const isCurrent = isOpen(lead)
          const connection = isCurrent ? null : connectionBetween(open, lead)
          const name = connection === null || saysNothingNew(lead, connection) ? null : nameOf(lead)
          return <TimelineEntry key={kind + lead.id} {...{ kind, lead, isCurrent, connection, name }} />
        })}
      </ol>
      {shown.length < leads.length && (
        <Button size="sm" className="mt-1" onClick={() => setWhole(true)}>
          {t('showAll', { count: leads.length })}
        </Button>
      )}
      {isWhole && leads.length < total && (
        <p className="mt-2 text-xs text-mute">{t('cut', { shown: leads.length, total })}</p>
      )}
    </>
  )
}

/** A sender is known by an address only, which stands above where it joins the two leads. */
function saysNothingNew(lead: LeadItem, { by, sameName }: Connection): boolean {
  return sameName === true || (isQuestion(lead) && by !== 'through-others')
}

type TimelineEntryProps = {
  kind: LeadKind
  lead: LeadItem
  isCurrent?: boolean
  connection: Connection | null
  /** Null where it stands above already. */
  name: string | null
  children?: ReactNode
}

export function TimelineEntry({ kind, lead, isCurrent = false, connection, name, children }: TimelineEntryProps) {
  const t = useTranslations('contact')
  const common = useTranslations('common.status')
  const { status } = lead.triage
  return (
    <li
      aria-current={isCurrent || undefined}
      className={cn('relative pb-4 pl-5 last:pb-1', isCurrent && 'rounded-r-md')}
    >
      <span className="absolute top-0.75 -left-[0.5rem] rounded-full bg-bg p-px">
        <StatusDot status={status} label={common(status)} />
      </span>
      <div className="flex flex-wrap items-baseline gap-x-2.5 gap-y-0.5">
        <EntryTitle kind={kind} lead={lead} isCurrent={isCurrent} />
        {isCurrent && <Badge>{t('timeline.current')}</Badge>}
        <Moment at={lead.createdAt} />
      </div>
      {name !== null && (
        <p className="mt-0.5 text-sm font-medium">
          <bdi className="wrap-anywhere">{name}</bdi>
        </p>
      )}
      <Decided triage={lead.triage} />
      {isQuestion(lead) && !isCurrent && (
        <div className="mt-1.5 border-l-2 border-line pl-3 text-sm text-mute">
          <QuestionText text={lead.question} isShort />
        </div>
      )}
      {connection !== null && (
        <p className="mt-1 text-xs text-mute">
          {t(`reason.${connection.sameName === false ? 'otherName' : 'same'}.${connection.by}`)}
        </p>
      )}
      {children}
    </li>
  )
}

function Decided({ triage }: { triage: Triage }) {
  const t = useTranslations('lead')
  const { assignee, updatedAt } = triage
  if (assignee === null && updatedAt === null) return null
  return (
    <p className="mt-0.5 flex flex-wrap gap-x-3 text-xs text-mute">
      {assignee !== null && <span className="wrap-anywhere">{t('responsible', { name: assignee.name })}</span>}
      <Updated triage={triage} />
    </p>
  )
}

export function Updated({ triage: { updatedAt, updatedBy } }: { triage: Triage }) {
  const t = useTranslations('lead')
  const locale = useLocale()
  const today = useToday()
  if (updatedAt === null) return null
  const when = dayAndTime(Date.parse(updatedAt), today, locale)
  const name = updatedBy?.name ?? ''
  return (
    <span suppressHydrationWarning className="wrap-anywhere">
      {name === '' ? t('updated', { when }) : t('updatedBy', { name, when })}
    </span>
  )
}

/** Opens the lead in the list one is in, with its filters as they are, or in the other list without any. */
function EntryTitle({ kind, lead, isCurrent }: { kind: LeadKind; lead: LeadItem; isCurrent: boolean }) {
  const t = useTranslations('contact.timeline')
  const schools = useSchoolNames()
  const pathname = usePathname()
  const current = useSearchParams()
  const words = t(isQuestion(lead) ? 'question' : 'declaration', { school: schools.of(lead) })
  if (isCurrent) return <span className="font-medium wrap-anywhere">{words}</span>
  const path = LISTS_BY_KIND[kind].href
  const search = new URLSearchParams(pathname === path ? current : undefined)
  search.set('lead', lead.id)
  return (
    <DeskLink
      href={`${path}?${search}`}
      className="rounded-xs font-medium wrap-anywhere decoration-line underline-offset-3 hover:text-accent hover:underline"
    >
      {words}
    </DeskLink>
  )
}

type QuestionTextProps = { text: string; isShort?: boolean }

/** Each line has its own writing direction. A text longer than a screen (`isShort`: four lines) is folded. */
export function QuestionText({ text, isShort = false }: QuestionTextProps) {
  const t = useTranslations('lead')
  const words = text.trim()
  const box = useRef<HTMLParagraphElement>(null)
  const [isLong, setLong] = useState(false)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const { current } = box
    if (current === null) return
    const measure = () => {
      // Unfolded it always fits; what matters is whether it would be folded.
      if (!current.matches('[data-open]')) setLong(current.scrollHeight > current.clientHeight + 1)
    }
    const sized = new ResizeObserver(measure)
    sized.observe(current)
    return () => sized.disconnect()
  }, [])
  if (words === '') return <p className="text-faint italic">{t('noQuestion')}</p>
  return (
    <blockquote className="leading-relaxed">
      <p
        ref={box}
        dir="auto"
        data-open={isOpen || undefined}
        className={cn(
          'text-start wrap-anywhere whitespace-pre-wrap [unicode-bidi:plaintext]',
          !isOpen && (isShort ? 'line-clamp-4' : 'line-clamp-[24]'),
        )}
      >
        {words}
      </p>
      {isLong && <Fold isOpen={isOpen} onFold={() => setOpen(!isOpen)} />}
    </blockquote>
  )
}

const Fold = inAreas(FoldButton, ['contact'])

function FoldButton({ isOpen, onFold }: { isOpen: boolean; onFold: () => void }) {
  const t = useTranslations('contact.timeline')
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onFold}
      className="mt-1 rounded-xs text-sm font-medium text-accent hover:text-accent-strong touch:min-h-11"
    >
      {t(isOpen ? 'readLess' : 'readMore')}
    </button>
  )
}
