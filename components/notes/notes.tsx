import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Fragment, useState } from 'react'
import { useCurrentUser } from '@/components/desk/current-user'
import { useConfirmed } from '@/components/desk/save'
import { Avatar } from '@/components/ui/avatar'
import { ConfirmDialog } from '@/components/ui/dialog'
import { IconButton } from '@/components/ui/icon-button'
import { api } from '@/lib/api/call'
import { peopleQuery } from '@/lib/api/queries'
import { refreshNotes } from '@/lib/api/refresh'
import { hasStatus } from '@/lib/api/send'
import type { LeadRef } from '@/lib/contract/lead'
import { findMentions } from '@/lib/inbox/mentions'
import { LeadEventLine, Moment } from './lead-event'
import type { ShownNote, Thread } from './own-notes'

export function NoteList({ lead, thread, problem }: Thread & { lead: LeadRef }) {
  return (
    <>
      {thread !== undefined && thread.length > 0 && (
        <ul aria-live="polite" className="mb-3 flex flex-col gap-2">
          {thread.map((one) =>
            'text' in one ? (
              <NoteEntry key={one.id} lead={lead} note={one} />
            ) : (
              <LeadEventLine key={`${one.at} ${one.what}`} event={one} />
            ),
          )}
        </ul>
      )}
      {problem}
    </>
  )
}

function NoteEntry({ lead, note }: { lead: LeadRef; note: ShownNote }) {
  const t = useTranslations('contact.notes')
  const me = useCurrentUser()
  const [isRemoving, setRemoving] = useState(false)
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
        <>
          <IconButton
            icon={Trash2}
            label={t('remove', { name })}
            onClick={() => setRemoving(true)}
            className="opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 touch:opacity-100"
          />
          {isRemoving && <RemoveNote lead={lead} id={note.id} onClose={() => setRemoving(false)} />}
        </>
      )}
    </li>
  )
}

/** Asks first: a deleted note is gone for everyone. */
function RemoveNote({ lead, id, onClose }: { lead: LeadRef; id: string; onClose: () => void }) {
  const t = useTranslations('contact.notes')
  const client = useQueryClient()
  const removing = useConfirmed({
    send: () =>
      api('DELETE /api/notes/[id]', { params: { id } }).catch((error: unknown) => {
        if (!hasStatus(error, 404)) throw error
      }),
    onSaved: () => {
      onClose()
      void refreshNotes(client, lead)
    },
  })
  const texts = { title: t('removeTitle'), text: t('removeBody'), yes: t('removeYes') }
  return <ConfirmDialog {...texts} {...removing} onNo={onClose} />
}
