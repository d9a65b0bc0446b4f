import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Fragment } from 'react'
import { connectionBetween } from './person'
import { TimelineEntry } from './timeline'
import { useCurrentUser } from '@/components/app/current-user'
import { ConfirmButton } from '@/components/app/save'
import { Avatar } from '@/components/ui/avatar'
import { api } from '@/lib/api/call'
import type { LeadItem } from '@/lib/api/leads'
import { peopleQuery } from '@/lib/api/queries'
import { refreshNotes } from '@/lib/api/refresh'
import { hasStatus } from '@/lib/api/send'
import type { LeadRef } from '@/lib/contract/lead'
import { findMentions } from '@/lib/inbox/mentions'
import { LeadEventLine, Moment } from './lead-event'
import type { HistoryEntry, ShownNote } from './thread'

type HistoryEntriesProps = {
  lead: LeadRef
  /** The open lead, which `entries` compare the person's other leads with. */
  item?: LeadItem
  entries: readonly HistoryEntry[]
}

/** What happened, told in full. */
export function HistoryEntries({ lead, item, entries }: HistoryEntriesProps) {
  if (entries.length === 0) return null
  return (
    <ul aria-live="polite" className="mb-3 flex flex-col gap-2">
      {entries.map((entry) => {
        if (entry.kind === 'note') return <NoteEntry key={entry.note.id} lead={lead} note={entry.note} />
        if (entry.kind === 'event') return <LeadEventLine key={`${entry.at} ${entry.event.what}`} event={entry.event} />
        const connection = item && connectionBetween(item, entry.found.lead)
        return <TimelineEntry key={`lead ${entry.found.lead.id}`} found={entry.found} connection={connection} />
      })}
    </ul>
  )
}

function NoteEntry({ lead, note }: { lead: LeadRef; note: ShownNote }) {
  const t = useTranslations('contact.notes')
  const client = useQueryClient()
  const me = useCurrentUser()
  const { data } = useQuery({ ...peopleQuery, enabled: note.text.includes('@') })
  const found = findMentions(note.text, data?.people.map((person) => person.name) ?? [])
  const ends = found.map(({ end }) => end)
  const name = note.author.name === '' ? t('formerColleague') : note.author.name
  const mayRemove = note.isSent && me !== null && (me.isAdmin || me.id === note.author.id)
  return (
    <li className="group flex gap-3 rounded-lg border border-line bg-panel py-2.5 pr-1.5 pl-3.5 shadow-card">
      <span className="pt-0.5">
        <Avatar name={name} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
          <bdi className="font-medium wrap-anywhere">{name}</bdi>
          {note.isSent ? <Moment at={note.createdAt} /> : <span className="text-xs text-mute">{t('saving')}</span>}
        </p>
        {note.text === '' ? (
          <p className="text-sm text-faint italic">{t('unreadable')}</p>
        ) : (
          <p dir="auto" className="mt-0.5 text-start wrap-anywhere whitespace-pre-wrap [unicode-bidi:plaintext]">
            {found.map(({ start, end }, index) => (
              <Fragment key={start}>
                <span>{note.text.slice(ends[index - 1] ?? 0, start)}</span>
                <mark className="rounded-sm bg-accent-soft px-0.5 font-medium text-accent-strong">
                  {note.text.slice(start, end)}
                </mark>
              </Fragment>
            ))}
            <span>{note.text.slice(ends.at(-1) ?? 0)}</span>
          </p>
        )}
      </div>
      {mayRemove && (
        <ConfirmButton
          text={<span className="sr-only">{t('remove', { name })}</span>}
          icon={Trash2}
          variant="ghost"
          size="sm"
          className="opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 touch:min-w-11 touch:opacity-100"
          ask={{ title: t('removeTitle'), text: t('removeBody'), yes: t('removeYes') }}
          saving={{
            // A colleague may have deleted it a moment before.
            send: () =>
              api('DELETE /api/notes/[id]', { params: { id: note.id } }).catch((error: unknown) => {
                if (!hasStatus(error, 404)) throw error
              }),
            onSaved: () => void refreshNotes(client, lead),
          }}
        />
      )}
    </li>
  )
}
