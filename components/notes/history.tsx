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
import type { ContactLead, LeadRef } from '@/lib/contract/lead'
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

/** The person's other leads, notes and decisions: the last two in a line each, until the user asks for all. */
export function History({ lead, item, ...handlers }: HistoryProps) {
  const [isWhole, setWhole] = useState(false)
  const [isWriting, setWriting] = useWriting(lead)
  const { thread, problem } = useNotes(lead)
  const contact = useContact(item.contactId).data
  const lines = useLines(lead, contact?.leads, thread)
  const same = contact === undefined ? [] : leadsOfOnePerson(contact, [item])
  return (
    <section aria-labelledby="history" className="mt-6 border-t border-line-soft pt-4">
      <Heading
        hasMore={isWhole || saysMore(lines)}
        isWhole={isWhole}
        onWhole={setWhole}
        onWrite={() => setWriting((isWriting ?? 0) + 1)}
      />
      <HandleAll leads={same} from={lead} {...handlers} />
      {isWriting !== null && (
        <div className="mb-3">
          <NoteComposer key={lead.id} lead={lead} school={item.highSchoolId} focusRequests={isWriting} />
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

type HeadingProps = { hasMore: boolean; isWhole: boolean; onWhole: (isWhole: boolean) => void; onWrite: () => void }

function Heading({ hasMore, isWhole, onWhole, onWrite }: HeadingProps) {
  const t = useTranslations('contact')
  return (
    <div className="mb-1.5 flex flex-wrap items-center gap-x-1">
      <h3 id="history" className="mr-auto text-sm font-semibold text-mute">
        {t('timeline.title')}
      </h3>
      {/* First what comes late, or it would push the other from under the finger. */}
      {hasMore && (
        <Button
          text={t(isWhole ? 'timeline.less' : 'timeline.all')}
          variant="ghost"
          size="sm"
          aria-expanded={isWhole}
          onPointerEnter={loadWhole}
          onFocus={loadWhole}
          onClick={() => onWhole(!isWhole)}
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
        onClick={onWrite}
      />
    </div>
  )
}

/** Open from the start where a note was begun before. */
function useWriting(lead: LeadRef) {
  const owner = useCurrentUser()?.id ?? ''
  const focusRequests = useState(() => (hasNoteDraft(window.sessionStorage, owner, lead) ? 0 : null))
  const [count, set] = focusRequests
  useEffect(() => (count ? beginOpening('text', () => set(null)) : undefined), [count, set])
  return focusRequests
}

const WITHOUT_STREAM_MS = 15_000
/** In case the stream misses one. */
const SAFETY_MS = 120_000

/** The notes and decisions of a lead, oldest first. */
export function useNotes(lead: LeadRef): Thread {
  const isLive = useIsLive()
  const refetchInterval = isLive ? SAFETY_MS : WITHOUT_STREAM_MS
  const asked = { query: { kind: lead.kind, id: lead.id } }
  const again = { refetchInterval, refetchOnWindowFocus: true }
  const { data, isError, refetch } = useQuery({ ...apiQuery('GET /api/notes', asked), ...again })
  const history = useQuery({ ...apiQuery('GET /api/lead-history', asked), ...again })
  const notes = useShownNotes(lead, data?.notes ?? [])
  const events = history.data?.events
  const isThere = data !== undefined && (events !== undefined || history.isError)
  const thread = useMemo(() => (isThere ? threadOf(notes, events ?? []) : undefined), [isThere, notes, events])
  const failed = (retry: () => unknown) => <LoadFailure className="mb-3" onRetry={retry} />
  if (data === undefined && isError) return { thread, problem: failed(refetch) }
  const isHalf = history.isError && events === undefined
  return { thread, problem: isHalf ? failed(history.refetch) : null }
}

const LAST = 2

/** The newest first; undefined until all have been read. */
function useLines(
  { kind, id }: LeadRef,
  leads: readonly ContactLead[] | undefined,
  thread: Thread['thread'],
): readonly HistoryLine[] | undefined {
  return useMemo(() => {
    if (leads === undefined || thread === undefined) return undefined
    const others = leads.filter((found) => found.kind !== kind || found.lead.id !== id)
    return linesOf(others, thread)
  }, [leads, thread, kind, id])
}

/** Whether there is more than the last lines show: other lines, the whole of a note, or what another lead says. */
function saysMore(lines: readonly HistoryLine[] = []): boolean {
  return lines.length > LAST || lines.some((line) => 'found' in line || 'text' in line.one)
}

function LastLines({ item, lines }: Pick<HistoryProps, 'item'> & { lines: readonly HistoryLine[] | undefined }) {
  const t = useTranslations('contact')
  if (lines === undefined) return <Skeleton className="h-5 w-72 max-w-full" />
  if (lines.length === 0) return <p className="text-sm text-mute">{t('timeline.none')}</p>
  return (
    <ul aria-live="polite" className="-mx-3.5 flex flex-col gap-1">
      {lines.slice(0, LAST).map((line) => {
        if ('found' in line) return <LeadLine key={`lead ${line.found.lead.id}`} found={line.found} open={item} />
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

/** Of a person with another name, such as a sibling, it says whose it is. */
function LeadLine({ found: { kind, lead }, open }: { found: ContactLead; open: LeadItem }) {
  const common = useTranslations('common.status')
  const { status } = lead.triage
  const isOther = !isQuestion(lead) && connectionBetween(open, lead).sameName === false
  return (
    <Line icon={<StatusDot status={status} label={common(status)} />}>
      <LeadTitle kind={kind} lead={lead} />
      {isOther && <bdi className="min-w-0 truncate">{nameOf(lead)}</bdi>}
      <Moment at={lead.createdAt} />
    </Line>
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
