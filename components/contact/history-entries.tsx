import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Clock, type LucideIcon, Mail, Phone, StickyNote, Trash2, UserRound } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { ConfirmButton } from '@/components/app/confirm-button'
import { useCurrentUser } from '@/components/app/current-user'
import { DeskLink } from '@/components/app/navigate'
import { useSchoolNames } from '@/components/app/schools'
import { StatusDot } from '@/components/app/status-dot'
import { Timestamp } from '@/components/app/timestamp'
import { Avatar } from '@/components/ui/avatar'
import { cn } from '@/components/ui/cn'
import { HighlightedText } from '@/components/ui/highlighted-text'
import { api } from '@/lib/api/call'
import type { LeadItem } from '@/lib/api/leads'
import { peopleQuery } from '@/lib/api/queries'
import { refreshNotes } from '@/lib/api/refresh'
import type { ContactLead, LeadRef } from '@/lib/contract/lead'
import type { LeadHistoryEvent } from '@/lib/contract/notes'
import { findDisplayName, isQuestion } from '@/lib/inbox/lead-text'
import { splitAtMentions } from '@/lib/inbox/mentions'
import { toLeadHref } from '@/lib/inbox/queues'
import { formatShortDay } from '@/lib/time/format-time'
import type { HistoryEntry, HistoryNote } from './lead-history'
import { compareLeads } from './person'
import { QuestionText } from './question-text'

type HistoryEntriesProps = { lead: LeadRef; referenceLead?: LeadItem; entries: readonly HistoryEntry[] }

/** Lists notes, events and the person's other leads, whose names are compared with that of `referenceLead`. */
export function HistoryEntries({ lead, referenceLead, entries }: HistoryEntriesProps) {
  return (
    // A live region must exist before its first entry, or it is not read aloud.
    <ul aria-live="polite" className="flex flex-col gap-2 not-empty:mb-3">
      {entries.map((entry) => {
        if (entry.kind === 'note') return <NoteEntry key={entry.id} lead={lead} note={entry.note} />
        if (entry.kind === 'event') return <EventEntry key={entry.id} event={entry.event} />
        return <LeadEntry key={entry.id} contactLead={entry.contactLead} referenceLead={referenceLead} />
      })}
    </ul>
  )
}

function NoteEntry({ lead, note }: { lead: LeadRef; note: HistoryNote }) {
  const t = useTranslations('contact.notes')
  const client = useQueryClient()
  const me = useCurrentUser()
  const { data } = useQuery({ ...peopleQuery, enabled: note.text.includes('@') })
  const parts = splitAtMentions(note.text, data?.people.map((person) => person.name) ?? [])
  const authorName = note.author.name || t('formerColleague')
  const mayRemove = note.isSaved && me !== null && (me.isAdmin || me.id === note.author.id)
  return (
    <li className="group flex gap-3 rounded-lg border border-line bg-panel py-2.5 pr-1.5 pl-3.5 shadow-card">
      <span className="pt-0.5">
        <Avatar name={authorName} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
          <bdi className="font-medium wrap-anywhere">{authorName}</bdi>
          {note.isSaved && <Timestamp time={note.createdAt} />}
          {!note.isSaved && <span className="text-xs text-mute">{t('saving')}</span>}
        </p>
        {note.text === '' ? (
          <p className="text-sm text-faint italic">{t('unreadable')}</p>
        ) : (
          <p
            dir="auto"
            className="mt-0.5 text-start wrap-anywhere whitespace-pre-wrap [unicode-bidi:plaintext] [&>mark]:rounded-sm [&>mark]:bg-accent-soft [&>mark]:px-0.5 [&>mark]:font-medium [&>mark]:text-accent-strong"
          >
            <HighlightedText parts={parts} />
          </p>
        )}
      </div>
      {mayRemove && (
        <ConfirmButton
          text={<span className="sr-only">{t('remove', { name: authorName })}</span>}
          icon={Trash2}
          variant="ghost"
          size="sm"
          className="opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 touch:min-w-11 touch:opacity-100"
          texts={{ title: t('removeTitle'), text: t('removeBody'), yes: t('removeYes') }}
          saving={{
            send: () => api('DELETE /api/notes/[id]', { params: { id: note.id } }),
            onSaved: () => void refreshNotes(client, lead),
          }}
        />
      )}
    </li>
  )
}

function EventEntry({ event }: { event: LeadHistoryEvent }) {
  const t = useTranslations('contact.history')
  const formerColleague = useTranslations('contact.notes')('formerColleague')
  const locale = useLocale()
  const actorName = event.by?.name || formerColleague
  const describe = (): [LucideIcon, string] => {
    switch (event.kind) {
      case 'status':
        return [Check, t(`status.${event.to}`, { by: actorName })]
      case 'assignee':
        if (event.to === null) return [UserRound, t('unassigned', { by: actorName })]
        if (event.to.id === event.by?.id) return [UserRound, t('taken', { by: actorName })]
        return [UserRound, t('assigned', { by: actorName, to: event.to.name || formerColleague })]
      case 'snooze':
        if (event.until === null) return [Clock, t('back', { by: actorName })]
        return [Clock, t('aside', { by: actorName, day: formatShortDay(event.until, locale) })]
      case 'attempt': {
        const { channel, outcome } = event
        return [channel === 'email' ? Mail : Phone, t(`attempt.${outcome}`, { by: actorName, channel })]
      }
      case 'note':
      case 'note-deleted':
        return [StickyNote, t(event.kind, { by: actorName })]
      default:
        return event satisfies never
    }
  }
  const [Icon, text] = describe()
  const isUndone = 'undone' in event && event.undone === true
  return (
    <li className="flex min-h-6 items-baseline gap-2.5 px-3.5 text-sm text-mute touch:min-h-11 touch:items-center">
      <Icon className="size-3.5 shrink-0 self-center text-faint" />
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
        <span className={cn('wrap-anywhere', isUndone && 'line-through decoration-faint')}>{text}</span>
        {isUndone && <span>{t('undone')}</span>}
        <Timestamp time={event.at} />
      </span>
    </li>
  )
}

export type LeadEntryProps = { contactLead: ContactLead; referenceLead: LeadItem | undefined; children?: ReactNode }

/** Shows one of the person's leads. If its name is not the reference lead's, it says what connects the two. */
export function LeadEntry({ contactLead: { kind, lead }, referenceLead, children }: LeadEntryProps) {
  const t = useTranslations('contact')
  const tStatus = useTranslations('common.status')
  const schoolNames = useSchoolNames()
  const { status, assignee } = lead.triage
  const assigneeName = assignee?.name || t('notes.formerColleague')
  const connection = referenceLead && compareLeads(referenceLead, lead)
  return (
    <li className="flex gap-2.5 px-3.5 py-1">
      <span className="pt-0.5 touch:pt-3">
        <StatusDot status={status} label={tStatus(status)} kind={kind} />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline gap-x-2.5 gap-y-0.5">
          <DeskLink
            href={toLeadHref({ kind, id: lead.id })}
            className="rounded-xs font-medium wrap-anywhere touch:min-h-11 touch:content-center decoration-line underline-offset-3 hover:text-accent hover:underline"
          >
            {t(`timeline.${isQuestion(lead) ? 'question' : 'declaration'}`, { school: schoolNames.nameForLead(lead) })}
          </DeskLink>
          <Timestamp time={lead.createdAt} />
        </div>
        {connection?.hasSameName === false && (
          <p className="mt-0.5 text-sm wrap-anywhere">
            <bdi className="font-medium">{findDisplayName(lead)}</bdi>
            <span className="block text-xs text-mute">{t(`otherName.${connection.reason}`)}</span>
          </p>
        )}
        {assignee !== null && (
          <p className="mt-0.5 text-xs wrap-anywhere text-mute">{t('timeline.responsible', { name: assigneeName })}</p>
        )}
        {isQuestion(lead) && (
          <div className="mt-1.5 text-sm text-mute">
            <QuestionText text={lead.question} isCollapsible />
          </div>
        )}
        {children}
      </div>
    </li>
  )
}
