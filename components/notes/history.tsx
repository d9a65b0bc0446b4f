import { useQuery } from '@tanstack/react-query'
import { NotebookPen, StickyNote } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { useIsLive } from '@/components/browser/live'
import { HandleAll } from '@/components/contact/handle-all'
import { LeadTitle } from '@/components/contact/lead-title'
import { connectionBetween, leadsOfOnePerson } from '@/components/contact/person'
import { useCurrentUser } from '@/components/desk/current-user'
import { lazyPart } from '@/components/desk/lazy-part'
import { beginOpening } from '@/components/desk/opening'
import { StatusDot } from '@/components/triage/status-dot'
import { useContact } from '@/components/triage/use-pending'
import { Button } from '@/components/ui/button'
import { LoadFailure } from '@/components/ui/load-failure'
import { Skeleton } from '@/components/ui/loading'
import { apiQuery } from '@/lib/api/call'
import type { LeadItem } from '@/lib/api/leads'
import type { LeadRef } from '@/lib/contract/lead'
import { isQuestion, nameOf } from '@/lib/inbox/lead-text'
import { hasNoteDraft } from '@/lib/inbox/reply-marks'
import { LeadEventLine, Moment } from './lead-event'
import { type Thread, useShownNotes } from './own-notes'
import { type HistoryLine, linesOf, threadOf } from './thread'

type HistoryProps = {
  lead: LeadRef
  item: LeadItem
  onHandled: (handled: readonly LeadRef[]) => void
  onUndone: (leads: readonly LeadRef[]) => void
}

const waiting = <Skeleton className="mb-3 h-11 w-full" />
export const NoteComposer = lazyPart(async () => (await import('./note-composer')).NoteComposer, waiting)
const Timeline = lazyPart(async () => (await import('@/components/contact/timeline')).Timeline, waiting)
const NoteList = lazyPart(async () => (await import('./notes')).NoteList, waiting)
const loadWriting = () => void NoteComposer.load()
const loadWhole = () => void Promise.all([Timeline.load(), NoteList.load()])

const LAST = 2

/** The person's other leads, notes and decisions: the last two in a line each, until the user asks for all. */
export function History({ lead, item, ...handlers }: HistoryProps) {
  const t = useTranslations('contact')
  const owner = useCurrentUser()?.id ?? ''
  const [isWhole, setWhole] = useState(false)
  // The field is there from the start where a note was begun before.
  const [focusRequests, setFocusRequests] = useState(() =>
    hasNoteDraft(window.sessionStorage, owner, lead) ? 0 : null,
  )
  useEffect(() => (focusRequests ? beginOpening('text', () => setFocusRequests(null)) : undefined), [focusRequests])
  const { thread, problem } = useNotes(lead)
  const contact = useContact(item.contactId).data
  const others = contact?.leads.filter((found) => found.kind !== lead.kind || found.lead.id !== lead.id)
  const lines = others && thread && linesOf(others, thread)
  // The last lines say neither the whole of a note nor what another lead says.
  const hasMore = lines && (lines.length > LAST || lines.some((line) => 'found' in line || 'text' in line.one))
  return (
    <section aria-labelledby="history" className="mt-6 border-t border-line-soft pt-4">
      <div className="mb-1.5 flex flex-wrap items-center gap-x-1">
        <h3 id="history" className="mr-auto text-sm font-semibold text-mute">
          {t('timeline.title')}
        </h3>
        {/* First what comes late, or it would push the other from under the finger. */}
        {(isWhole || hasMore) && (
          <Button
            text={t(isWhole ? 'timeline.less' : 'timeline.all')}
            variant="ghost"
            size="sm"
            aria-expanded={isWhole}
            onPointerEnter={loadWhole}
            onFocus={loadWhole}
            onClick={() => setWhole(!isWhole)}
          />
        )}
        <Button
          icon={NotebookPen}
          text={t('notes.write')}
          variant="ghost"
          size="sm"
          className="-mr-2.5"
          onPointerEnter={loadWriting}
          onFocus={loadWriting}
          onClick={() => setFocusRequests((focusRequests ?? 0) + 1)}
        />
      </div>
      <HandleAll leads={contact === undefined ? [] : leadsOfOnePerson(contact, [item])} from={lead} {...handlers} />
      {focusRequests !== null && (
        <div className="mb-3">
          <NoteComposer key={lead.id} lead={lead} school={item.highSchoolId} focusRequests={focusRequests} />
        </div>
      )}
      {isWhole ? (
        <>
          <Timeline open={item} />
          <NoteList lead={lead} thread={thread} problem={problem} />
        </>
      ) : (
        (problem ?? <LastLines item={item} lines={lines} />)
      )}
    </section>
  )
}

const WITHOUT_STREAM_MS = 15_000
/** In case the stream misses one. */
const SAFETY_MS = 120_000

/** The notes and decisions of a lead, oldest first. */
export function useNotes(lead: LeadRef): Thread {
  const isLive = useIsLive()
  const query = { kind: lead.kind, id: lead.id }
  const again = { refetchInterval: isLive ? SAFETY_MS : WITHOUT_STREAM_MS, refetchOnWindowFocus: true }
  const { data, isError, refetch } = useQuery({ ...apiQuery('GET /api/notes', { query }), ...again })
  const history = useQuery({ ...apiQuery('GET /api/lead-history', { query }), ...again })
  const notes = useShownNotes(lead, data?.notes ?? [])
  const events = history.data?.events
  const isThere = data !== undefined && (events !== undefined || history.isError)
  const thread = useMemo(() => (isThere ? threadOf(notes, events ?? []) : undefined), [isThere, notes, events])
  const failed = (retry: () => unknown) => <LoadFailure className="mb-3" onRetry={retry} />
  if (data === undefined && isError) return { thread, problem: failed(refetch) }
  const isHalf = history.isError && events === undefined
  return { thread, problem: isHalf ? failed(history.refetch) : null }
}

type LastLinesProps = { item: LeadItem; lines: readonly HistoryLine[] | undefined }

function LastLines({ item, lines }: LastLinesProps) {
  const t = useTranslations('contact')
  const statuses = useTranslations('common.status')
  if (lines === undefined) return <Skeleton className="h-5 w-72 max-w-full" />
  if (lines.length === 0) return <p className="text-sm text-mute">{t('timeline.none')}</p>
  return (
    <ul aria-live="polite" className="-mx-3.5 flex flex-col gap-1">
      {lines.slice(0, LAST).map((line) => {
        if ('found' in line) {
          const { kind, lead } = line.found
          // Of a person with another name, such as a sibling, it says whose it is.
          const isOther = !isQuestion(lead) && connectionBetween(item, lead).sameName === false
          const { status } = lead.triage
          return (
            <Line key={`lead ${lead.id}`} icon={<StatusDot status={status} label={statuses(status)} />}>
              <LeadTitle kind={kind} lead={lead} />
              {isOther && <bdi className="min-w-0 truncate">{nameOf(lead)}</bdi>}
              <Moment at={lead.createdAt} />
            </Line>
          )
        }
        if (!('text' in line.one)) return <LeadEventLine key={`${line.at} ${line.one.what}`} event={line.one} />
        const { id, author, text, isSent } = line.one
        return (
          <Line key={id} icon={<StickyNote className="size-3.5" />}>
            <span className="min-w-0 truncate">
              <bdi className="font-medium">{author.name || t('notes.formerColleague')}</bdi> {text}
            </span>
            {isSent ? <Moment at={line.at} /> : <span className="text-xs">{t('notes.saving')}</span>}
          </Line>
        )
      })}
    </ul>
  )
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex min-h-6 items-baseline gap-2.5 px-3.5 text-sm text-mute touch:min-h-11 touch:items-center">
      <span className="shrink-0 self-center text-faint">{icon}</span>
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">{children}</span>
    </li>
  )
}
