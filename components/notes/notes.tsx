import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useState } from 'react'
import { useToday } from '@/components/browser/clock'
import { useIsLive } from '@/components/browser/live'
import { useCurrentUser } from '@/components/desk/current-user'
import { Avatar } from '@/components/ui/avatar'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Confirmation } from '@/components/ui/dialog-frame'
import { IconButton } from '@/components/ui/icon-button'
import { LoadFailure } from '@/components/ui/load-failure'
import { Skeleton } from '@/components/ui/loading'
import { SectionHeading } from '@/components/ui/section-heading'
import { toast } from '@/components/ui/toast'
import { api, apiQuery } from '@/lib/api/call'
import { refreshNotes } from '@/lib/api/refresh'
import { ApiError } from '@/lib/api/send'
import type { Note } from '@/lib/contract/notes'
import type { LeadRef } from '@/lib/contract/lead'
import type { LeadEvent } from '@/lib/contract/notes'
import { dayAndTime } from '@/lib/time/format-time'
import { fullTime } from '@/lib/time/format-date'
import { LeadEventLine } from './lead-events'
import { NoteComposer } from './note-composer'
import { NoteText } from './note-text'

/** What colleagues have written about a lead, oldest first, and the place to write. */
export function Notes({ lead, school }: { lead: LeadRef; school?: string | undefined }) {
  const t = useTranslations('contact.notes')
  const id = `notes-${lead.kind}-${lead.id}`
  return (
    <section aria-labelledby={id} className="mt-6">
      <SectionHeading id={id}>{t('title')}</SectionHeading>
      <NoteList lead={lead} />
      <NoteComposer key={lead.id} lead={lead} school={school} />
    </section>
  )
}

const WITHOUT_STREAM_MS = 15_000
/** In case the stream ever forgets one. */
const SAFETY_MS = 120_000

/** What was written and done about a lead, in one thread. Also without the composer: under each lead of a contact. */
export function NoteList({ lead, isQuiet = false }: { lead: LeadRef; isQuiet?: boolean }) {
  const t = useTranslations('contact.notes')
  const isLive = useIsLive()
  const refetchInterval = isLive ? SAFETY_MS : WITHOUT_STREAM_MS
  const asked = { query: { kind: lead.kind, id: lead.id } }
  const again = { refetchInterval, refetchOnWindowFocus: true }
  const { data, isError, refetch } = useQuery({ ...apiQuery('GET /api/notes', asked), ...again })
  const history = useQuery({ ...apiQuery('GET /api/lead-history', asked), ...again })
  if (data === undefined) {
    if (!isError) return isQuiet ? null : <Skeleton className="mb-3 h-5 w-48" />
    return (
      <LoadFailure className="mb-3" onRetry={() => void refetch()}>
        {t('failed')}
      </LoadFailure>
    )
  }
  const thread = threadOf(data.notes, history.data?.events ?? [])
  return (
    <>
      {thread.length > 0 && (
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
      {history.isError && history.data === undefined && (
        <LoadFailure className="mb-3" onRetry={() => void history.refetch()}>
          {t('historyFailed')}
        </LoadFailure>
      )}
    </>
  )
}

/** Notes and events by their moment; of a note that is there its text is told, and not that it was written. */
function threadOf(notes: readonly Note[], events: readonly LeadEvent[]): (Note | LeadEvent)[] {
  const written = new Set(notes.map(({ id }) => id))
  const others = events.filter((event) => event.what !== 'note' || !written.has(event.noteId))
  const momentOf = (one: Note | LeadEvent) => ('text' in one ? one.createdAt : one.at)
  return [...notes, ...others].sort((a, b) => Date.parse(momentOf(a)) - Date.parse(momentOf(b)))
}

function NoteEntry({ lead, note }: { lead: LeadRef; note: Note }) {
  const t = useTranslations('contact.notes')
  const me = useCurrentUser()
  const [isRemoving, setRemoving] = useState(false)
  const name = note.author.name === '' ? t('formerColleague') : note.author.name
  const mayRemove = me !== null && (me.isAdmin || me.id === note.author.id)
  return (
    <li className="group flex gap-3 rounded-lg border border-line bg-panel py-2.5 pr-1.5 pl-3.5 shadow-card">
      <span className="pt-0.5">
        <Avatar name={name} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
          <bdi className="font-medium wrap-anywhere">{name}</bdi>
          <WrittenAt at={note.createdAt} />
        </p>
        {note.text === '' ? (
          <p className="text-sm text-faint italic">{t('unreadable')}</p>
        ) : (
          <NoteText text={note.text} />
        )}
      </div>
      {mayRemove && (
        <>
          <IconButton
            label={t('remove', { name })}
            onClick={() => setRemoving(true)}
            className="opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 touch:opacity-100"
          >
            <Trash2 aria-hidden />
          </IconButton>
          <RemoveNote lead={lead} id={note.id} isOpen={isRemoving} onClose={() => setRemoving(false)} />
        </>
      )}
    </li>
  )
}

function WrittenAt({ at }: { at: string }) {
  const locale = useLocale()
  const today = useToday()
  const ms = Date.parse(at)
  return (
    <time dateTime={at} title={fullTime(ms, locale)} className="tabular text-xs text-faint">
      {dayAndTime(ms, today, locale)}
    </time>
  )
}

type RemoveNoteProps = { lead: LeadRef; id: string; isOpen: boolean; onClose: () => void }

/** Asks first, for a note that is gone is gone for everyone. */
function RemoveNote({ lead, id, isOpen, onClose }: RemoveNoteProps) {
  const t = useTranslations('contact.notes')
  const common = useTranslations('common')
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => api('DELETE /api/notes/[id]', { params: { id } }).catch(ignoreGone),
    onError: () => toast(t('removeFailed'), { tone: 'error' }),
    onSettled: () => {
      onClose()
      return refreshNotes(client, lead)
    },
  })
  return (
    <Dialog open={isOpen} onClose={onClose} title={t('removeTitle')}>
      <Confirmation
        text={t('removeBody')}
        actions={
          <>
            <Button onClick={onClose}>{common('cancel')}</Button>
            <Button variant="danger" busy={isPending} onClick={() => mutate()}>
              {t('removeYes')}
            </Button>
          </>
        }
      />
    </Dialog>
  )
}

/** Somebody else was quicker: the same is reached. */
function ignoreGone(error: unknown): void {
  if (!(error instanceof ApiError && error.kind === 'not-found')) throw error
}
