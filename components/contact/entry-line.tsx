import { Check, Clock, type LucideIcon, Mail, Phone, StickyNote, UserRound } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { usePathname, useSearchParams } from 'next/navigation'
import type { ReactNode } from 'react'
import { DeskLink } from '@/components/app/navigate'
import { useSchoolNames } from '@/components/app/schools'
import { StatusDot } from '@/components/app/status-dot'
import { Timestamp } from '@/components/app/timestamp'
import { cn } from '@/components/ui/cn'
import type { LeadItem } from '@/lib/api/leads'
import type { LeadKind } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import type { LeadHistoryEvent } from '@/lib/contract/notes'
import { findDisplayName, isQuestion } from '@/lib/inbox/lead-text'
import { formatShortDay } from '@/lib/time/format-time'
import type { HistoryEntry } from './lead-history'
import { compareLeads } from './person'

export function EntryLine({ referenceLead, entry }: { referenceLead: LeadItem; entry: HistoryEntry }) {
  const t = useTranslations('contact.notes')
  const tStatus = useTranslations('common.status')
  if (entry.kind === 'event') return <LeadEventLine event={entry.event} />
  if (entry.kind === 'note') {
    const { author, text, isSent } = entry.note
    return (
      <HistoryLine icon={<StickyNote className="size-3.5" />}>
        <span className="min-w-0 truncate">
          <bdi className="font-medium">{author.name || t('formerColleague')}</bdi> {text}
        </span>
        {isSent ? <Timestamp time={entry.time} /> : <span className="text-xs">{t('saving')}</span>}
      </HistoryLine>
    )
  }
  const { kind, lead } = entry.contactLead
  const { status } = lead.triage
  return (
    <HistoryLine icon={<StatusDot status={status} label={tStatus(status)} />}>
      <LeadTitle kind={kind} lead={lead} />
      {compareLeads(referenceLead, lead).hasSameName === false && (
        <bdi className="min-w-0 truncate">{findDisplayName(lead)}</bdi>
      )}
      <Timestamp time={lead.createdAt} />
    </HistoryLine>
  )
}

export function LeadEventLine({ event }: { event: LeadHistoryEvent }) {
  const t = useTranslations('contact.history')
  const tNotes = useTranslations('contact.notes')
  const locale = useLocale()
  const by = event.by?.name ?? tNotes('formerColleague')
  const describe = (): [LucideIcon, string] => {
    switch (event.kind) {
      case 'status':
        return [Check, t(`status.${event.to}`, { by })]
      case 'assignee':
        if (event.to === null) return [UserRound, t('unassigned', { by })]
        if (event.to.id === event.by?.id) return [UserRound, t('taken', { by })]
        return [UserRound, t('assigned', { by, to: event.to.name })]
      case 'snooze':
        if (event.until === null) return [Clock, t('back', { by })]
        return [Clock, t('aside', { by, day: formatShortDay(event.until, locale) })]
      case 'attempt':
        return [event.channel === 'email' ? Mail : Phone, t(`attempt.${event.outcome}`, { by, channel: event.channel })]
      case 'note':
      case 'note-deleted':
        return [StickyNote, t(event.kind, { by })]
      default:
        return event satisfies never
    }
  }
  const [Icon, text] = describe()
  const isUndone = 'undone' in event && event.undone === true
  return (
    <HistoryLine icon={<Icon className="size-3.5" />}>
      <span className={cn('wrap-anywhere', isUndone && 'line-through decoration-faint')}>{text}</span>
      {isUndone && <span>{t('undone')}</span>}
      <Timestamp time={event.at} />
    </HistoryLine>
  )
}

function HistoryLine({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex min-h-6 items-baseline gap-2.5 px-3.5 text-sm text-mute touch:min-h-11 touch:items-center">
      <span className="shrink-0 self-center text-faint">{icon}</span>
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">{children}</span>
    </li>
  )
}

/** The link to the lead keeps the filters if its list is the one on screen. */
export function LeadTitle({ kind, lead }: { kind: LeadKind; lead: LeadItem }) {
  const t = useTranslations('contact.timeline')
  const schoolNames = useSchoolNames()
  const path = LISTS_BY_KIND[kind].href
  const params = useSearchParams()
  const search = new URLSearchParams(usePathname() === path ? params : undefined)
  search.set('lead', lead.id)
  return (
    <DeskLink
      href={`${path}?${search}`}
      className="rounded-xs font-medium wrap-anywhere touch:min-h-11 touch:content-center decoration-line underline-offset-3 hover:text-accent hover:underline"
    >
      {t(isQuestion(lead) ? 'question' : 'declaration', { school: schoolNames.nameForLead(lead) })}
    </DeskLink>
  )
}
