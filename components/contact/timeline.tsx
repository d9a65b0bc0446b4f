import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { useContact } from '@/components/triage/use-pending'
import { Moment } from '@/components/notes/lead-event'
import { StatusDot } from '@/components/triage/status-dot'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { LoadFailure } from '@/components/ui/load-failure'
import type { LeadItem } from '@/lib/api/leads'
import type { LeadKind } from '@/lib/contract/lead'
import { isQuestion, nameOf } from '@/lib/inbox/lead-text'
import { LeadTitle } from './lead-title'
import { type Connection, connectionBetween } from './person'
import { QuestionText } from './question-text'

const INITIAL_COUNT = 8

/** The person's leads, newest first, where there are more than the open one. */
export function Timeline({ open }: { open: LeadItem }) {
  const t = useTranslations('contact.timeline')
  const { data, error, refetch } = useContact(open.contactId)
  const [showsAll, setShowsAll] = useState(false)
  if (data === undefined) return error && <LoadFailure onRetry={refetch} />
  const { leads, total } = data
  if (leads.length <= 1) return null
  const isOpen = (lead: LeadItem) => lead.id === open.id && isQuestion(lead) === isQuestion(open)
  const shown = showsAll ? leads : leads.filter(({ lead }, index) => index < INITIAL_COUNT || isOpen(lead))
  return (
    <div className="mb-4">
      <ol className="ml-1.75 border-l-2 border-line">
        {shown.map(({ kind, lead }) => {
          const isCurrent = isOpen(lead)
          const connection = isCurrent ? null : connectionBetween(open, lead)
          // A sender is known by an address only, which stands above where it joins the two leads.
          const isKnown = connection?.sameName === true || (isQuestion(lead) && connection?.by !== 'through-others')
          const name = connection === null || isKnown ? null : nameOf(lead)
          return <TimelineEntry key={kind + lead.id} {...{ kind, lead, isCurrent, connection, name }} />
        })}
      </ol>
      {shown.length < leads.length && (
        <Button
          text={t('showAll', { count: leads.length })}
          size="sm"
          className="mt-1"
          onClick={() => setShowsAll(true)}
        />
      )}
      {showsAll && leads.length < total && (
        <p className="mt-2 text-xs text-mute">{t('truncated', { shown: leads.length, total })}</p>
      )}
    </div>
  )
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
  const { status, assignee } = lead.triage
  return (
    <li
      aria-current={isCurrent || undefined}
      className={cn('relative pb-4 pl-5 last:pb-1', isCurrent && 'rounded-r-md')}
    >
      <span className="absolute top-0.75 -left-[0.5rem] rounded-full bg-bg p-px">
        <StatusDot status={status} label={common(status)} kind={kind} />
      </span>
      <div className="flex flex-wrap items-baseline gap-x-2.5 gap-y-0.5">
        <LeadTitle kind={kind} lead={lead} isCurrent={isCurrent} />
        {isCurrent && <Badge>{t('timeline.current')}</Badge>}
        <Moment at={lead.createdAt} />
      </div>
      {name !== null && (
        <p className="mt-0.5 text-sm font-medium">
          <bdi className="wrap-anywhere">{name}</bdi>
        </p>
      )}
      {assignee !== null && (
        <p className="mt-0.5 text-xs wrap-anywhere text-mute">{t('timeline.responsible', { name: assignee.name })}</p>
      )}
      {isQuestion(lead) && !isCurrent && (
        <div className="mt-1.5 border-l-2 border-line pl-3 text-sm text-mute">
          <QuestionText text={lead.question} isShort />
        </div>
      )}
      {connection?.sameName === false && <p className="mt-1 text-xs text-mute">{t(`otherName.${connection.by}`)}</p>}
      {children}
    </li>
  )
}
