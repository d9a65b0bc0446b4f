import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Clock, type LucideIcon, Mail, Phone, StickyNote, Trash2, UserRound } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { Fragment, useState } from 'react'
import { useIsLive } from '@/components/browser/live'
import { useCurrentUser } from '@/components/desk/current-user'
import { Avatar } from '@/components/ui/avatar'
import { ConfirmDialog } from '@/components/ui/dialog'
import { IconButton } from '@/components/ui/icon-button'
import { LoadFailure } from '@/components/ui/load-failure'
import { Skeleton } from '@/components/ui/loading'
import { SectionHeading } from '@/components/ui/headings'
import { api, apiQuery } from '@/lib/api/call'
import { peopleQuery } from '@/lib/api/queries'
import { refreshNotes } from '@/lib/api/refresh'
import { ApiError } from '@/lib/api/send'
import type { LeadEvent } from '@/lib/contract/notes'
import type { LeadRef } from '@/lib/contract/lead'
import { findMentions } from '@/lib/inbox/mentions'
import { useToday } from '@/components/browser/clock'
import { cn } from '@/components/ui/cn'
import { dayAndTime, shortDay } from '@/lib/time/format-time'
import { fullTime } from '@/lib/time/format-date'
import { NoteComposer, type ShownNote, useShownNotes } from './note-composer'

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
/** In case the stream misses one. */
const SAFETY_MS = 120_000

export function NoteList({ lead, isQuiet = false }: { lead: LeadRef; isQuiet?: boolean }) {
  const t = useTranslations('contact.notes')
  const isLive = useIsLive()
  const refetchInterval = isLive ? SAFETY_MS : WITHOUT_STREAM_MS
  const asked = { query: { kind: lead.kind, id: lead.id } }
  const again = { refetchInterval, refetchOnWindowFocus: true }
  const { data, isError, refetch } = useQuery({ ...apiQuery('GET /api/notes', asked), ...again })
  const history = useQuery({ ...apiQuery('GET /api/lead-history', asked), ...again })
  const notes = useShownNotes(lead, data?.notes ?? [])
  if (data === undefined) {
    if (!isError) return isQuiet ? null : <Skeleton className="mb-3 h-5 w-48" />
    return (
      <LoadFailure className="mb-3" onRetry={() => void refetch()}>
        {t('failed')}
      </LoadFailure>
    )
  }
  const thread = threadOf(notes, history.data?.events ?? [])
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

function threadOf(notes: readonly ShownNote[], events: readonly LeadEvent[]): (ShownNote | LeadEvent)[] {
  const written = new Set(notes.map(({ id }) => id))
  const others = events.filter((event) => event.what !== 'note' || !written.has(event.noteId))
  const momentOf = (one: ShownNote | LeadEvent) => ('text' in one ? one.createdAt : one.at)
  return [...notes, ...others].sort((a, b) => Date.parse(momentOf(a)) - Date.parse(momentOf(b)))
}

function NoteEntry({ lead, note }: { lead: LeadRef; note: ShownNote }) {
  const t = useTranslations('contact.notes')
  const me = useCurrentUser()
  const [isRemoving, setRemoving] = useState(false)
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
          {isRemoving && <RemoveNote lead={lead} id={note.id} onClose={() => setRemoving(false)} />}
        </>
      )}
    </li>
  )
}

type RemoveNoteProps = { lead: LeadRef; id: string; onClose: () => void }

/** Asks first: a deleted note is gone for everyone. */
function RemoveNote({ lead, id, onClose }: RemoveNoteProps) {
  const t = useTranslations('contact.notes')
  const client = useQueryClient()
  const { mutate, isPending, isError } = useMutation({
    mutationFn: () =>
      api('DELETE /api/notes/[id]', { params: { id } }).catch((error: unknown) => {
        if (!(error instanceof ApiError && error.kind === 'not-found')) throw error
      }),
    onSuccess: () => {
      onClose()
      return refreshNotes(client, lead)
    },
  })
  const words = { title: t('removeTitle'), text: t('removeBody'), yes: t('removeYes') }
  const problem = isError ? t('removeFailed') : null
  return <ConfirmDialog {...words} problem={problem} busy={isPending} onYes={() => mutate()} onNo={onClose} />
}

function NoteText({ text }: { text: string }) {
  const { data } = useQuery({ ...peopleQuery, enabled: text.includes('@') })
  const found = findMentions(text, data?.people.map(({ name }) => name) ?? [])
  const ends = found.map(({ end }) => end)
  return (
    <p dir="auto" className="mt-0.5 text-start wrap-anywhere whitespace-pre-wrap [unicode-bidi:plaintext]">
      {found.map(({ start, end }, index) => (
        <Fragment key={start}>
          {text.slice(ends[index - 1] ?? 0, start)}
          <mark className="rounded-sm bg-accent-soft px-0.5 font-medium text-accent-strong">
            {text.slice(start, end)}
          </mark>
        </Fragment>
      ))}
      {text.slice(ends.at(-1) ?? 0)}
    </p>
  )
}

function LeadEventLine({ event }: { event: LeadEvent }) {
  const t = useTranslations('contact.history')
  const says = useSaid()
  const Icon = event.what === 'attempt' && event.channel === 'email' ? Mail : ICONS[event.what]
  const isUndone = 'undone' in event && event.undone === true
  return (
    <li className="flex items-baseline gap-2.5 px-3.5 text-sm text-mute">
      <Icon aria-hidden className="size-3.5 shrink-0 self-center text-faint" />
      <span className="min-w-0">
        <span className={cn('wrap-anywhere', isUndone && 'line-through decoration-faint')}>{says(event)}</span>
        {isUndone && <span> · {t('undone')}</span>} <Moment at={event.at} />
      </span>
    </li>
  )
}

export function Moment({ at }: { at: string }) {
  const locale = useLocale()
  const today = useToday()
  const ms = Date.parse(at)
  const isKnown = !Number.isNaN(ms)
  return (
    <time
      dateTime={at}
      title={isKnown ? fullTime(ms, locale) : undefined}
      suppressHydrationWarning
      className="tabular text-xs text-faint"
    >
      {isKnown ? dayAndTime(ms, today, locale) : at}
    </time>
  )
}

const ICONS = {
  status: Check,
  assignee: UserRound,
  snooze: Clock,
  attempt: Phone,
  note: StickyNote,
  'note-deleted': StickyNote,
} as const satisfies Record<LeadEvent['what'], LucideIcon>

function useSaid(): (event: LeadEvent) => string {
  const t = useTranslations('contact.history')
  const notes = useTranslations('contact.notes')
  const locale = useLocale()
  return (event) => {
    const by = event.by?.name ?? notes('formerColleague')
    switch (event.what) {
      case 'status':
        return t(`status.${event.to}`, { by })
      case 'assignee': {
        if (event.to === null) return t('unassigned', { by })
        if (event.by === null) return t('assignedInTurn', { to: event.to.name })
        return event.to.id === event.by.id ? t('taken', { by }) : t('assigned', { by, to: event.to.name })
      }
      case 'snooze':
        return event.until === null ? t('back', { by }) : t('aside', { by, day: shortDay(event.until, locale) })
      case 'attempt':
        return t(`attempt.${event.outcome}`, { by, channel: event.channel })
      case 'note':
        return t('note', { by })
      case 'note-deleted':
        return t('noteDeleted', { by })
      default:
        return event satisfies never
    }
  }
}
