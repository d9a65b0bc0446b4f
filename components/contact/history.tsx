import { useMutationState, useQuery } from '@tanstack/react-query'
import { NotebookPen, StickyNote } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { useIsLive } from '@/components/app/live'
import { HandleAll } from './handle-all'
import { connectionBetween, leadsOfOnePerson } from './person'
import { useWritingRequest } from './reply-request'
import { LeadTitle } from './timeline'
import { useCurrentUser } from '@/components/app/current-user'
import { lazyPart } from '@/components/app/lazy-part'
import { beginOpening } from '@/components/app/opening'
import { StatusDot } from '@/components/app/status-dot'
import { useContact } from '@/components/app/use-triage'
import { Button } from '@/components/ui/button'
import { LoadFailure } from '@/components/ui/load-failure'
import { Skeleton } from '@/components/ui/loading'
import { apiQuery } from '@/lib/api/call'
import type { LeadItem } from '@/lib/api/leads'
import { pollUnlessLive } from '@/lib/api/polling'
import type { ContactLead, LeadRef } from '@/lib/contract/lead'
import { nameOf } from '@/lib/inbox/lead-text'
import { hasNoteDraft } from '@/lib/inbox/reply-marks'
import { HistoryLine, LeadEventLine, Moment } from './lead-event'
import { type HistoryEntry, historyOf, noteKey, type ShownNote } from './thread'

type HistoryProps = {
  lead: LeadRef
  item: LeadItem
  onHandled: (handled: readonly LeadRef[]) => void
  onUndone: (leads: readonly LeadRef[]) => void
}

const waiting = <Skeleton className="mb-3 h-11 w-full" />
export const NoteComposer = lazyPart(async () => (await import('./note-composer')).NoteComposer, waiting)
const HistoryEntries = lazyPart(async () => (await import('./history-entries')).HistoryEntries, waiting)

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
  useWritingRequest(lead, (writing) => {
    if (writing !== 'note') return undefined
    setFocusRequests((focusRequests ?? 0) + 1)
    return true
  })
  const { data: contact, error, refetch } = useContact(item.contactId)
  const others = contact?.leads.filter((found) => found.kind !== lead.kind || found.lead.id !== lead.id)
  const history = useHistory(lead, others)
  const entries = others && history.entries
  const problem = error && !contact ? <LoadFailure className="mb-3" onRetry={refetch} /> : history.problem
  // The last lines say neither the whole of a note nor what another lead says.
  const hasMore = entries && (entries.length > LAST || entries.some(({ kind }) => kind !== 'event'))
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
            onPointerEnter={HistoryEntries.load}
            onFocus={HistoryEntries.load}
            onClick={() => setWhole(!isWhole)}
          />
        )}
        <Button
          icon={NotebookPen}
          text={t('notes.write')}
          variant="ghost"
          size="sm"
          shortcut="n"
          className="-mr-2.5"
          onPointerEnter={NoteComposer.load}
          onFocus={NoteComposer.load}
          onClick={() => setFocusRequests((focusRequests ?? 0) + 1)}
        />
      </div>
      <HandleAll leads={contact === undefined ? [] : leadsOfOnePerson(contact, [item])} from={lead} {...handlers} />
      {focusRequests !== null && (
        <div className="mb-3">
          <NoteComposer key={lead.id} lead={lead} school={item.highSchoolId} focusRequests={focusRequests} />
        </div>
      )}
      {problem}
      {!problem && entries === undefined && <Skeleton className="h-5 w-72 max-w-full" />}
      {entries?.length === 0 && <p className="text-sm text-mute">{t('timeline.none')}</p>}
      {entries !== undefined && isWhole && <HistoryEntries lead={lead} item={item} entries={entries} />}
      {entries !== undefined && !isWhole && (
        <ul aria-live="polite" className="-mx-3.5 flex flex-col gap-1">
          {entries.slice(0, LAST).map((entry) => (
            <LastLine key={`${entry.kind} ${entry.at}`} item={item} entry={entry} />
          ))}
        </ul>
      )}
    </section>
  )
}

const POLL_MS = 15_000

/** What happened about a lead, or why that cannot be told. */
export function useHistory(lead: LeadRef, others?: readonly ContactLead[]) {
  const again = { refetchInterval: pollUnlessLive(useIsLive(), () => POLL_MS), refetchOnWindowFocus: true }
  const me = useCurrentUser()
  const query = { kind: lead.kind, id: lead.id }
  const notes = useQuery({ ...apiQuery('GET /api/notes', { query }), ...again })
  const events = useQuery({ ...apiQuery('GET /api/lead-history', { query }), ...again })
  const beingSaved = useMutationState({
    filters: { mutationKey: noteKey(lead), status: 'pending' },
    select: ({ mutationId, state: { variables, submittedAt } }): ShownNote => ({
      id: `unsent ${mutationId}`,
      text: String(variables),
      author: { id: me?.id ?? '', name: me?.name ?? '' },
      createdAt: new Date(submittedAt).toISOString(),
      isSent: false,
    }),
  })
  const shown = [...(notes.data?.notes ?? []).map((note) => ({ ...note, isSent: true })), ...beingSaved]
  const isThere = notes.data !== undefined && events.data !== undefined
  const failed = [notes, events].find(({ isError, data }) => isError && data === undefined)
  return {
    entries: isThere ? historyOf(shown, events.data.events, others) : undefined,
    problem: failed ? <LoadFailure className="mb-3" onRetry={failed.refetch} /> : null,
  }
}

function LastLine({ item, entry }: { item: LeadItem; entry: HistoryEntry }) {
  const t = useTranslations('contact.notes')
  const statuses = useTranslations('common.status')
  if (entry.kind === 'event') return <LeadEventLine event={entry.event} />
  if (entry.kind === 'note') {
    const { author, text, isSent } = entry.note
    return (
      <HistoryLine icon={<StickyNote className="size-3.5" />}>
        <span className="min-w-0 truncate">
          <bdi className="font-medium">{author.name || t('formerColleague')}</bdi> {text}
        </span>
        {isSent ? <Moment at={entry.at} /> : <span className="text-xs">{t('saving')}</span>}
      </HistoryLine>
    )
  }
  const { kind, lead } = entry.found
  // Of a person with another name, such as a sibling, the line says whose lead it is.
  const isOther = connectionBetween(item, lead).sameName === false
  const { status } = lead.triage
  return (
    <HistoryLine icon={<StatusDot status={status} label={statuses(status)} />}>
      <LeadTitle kind={kind} lead={lead} />
      {isOther && <bdi className="min-w-0 truncate">{nameOf(lead)}</bdi>}
      <Moment at={lead.createdAt} />
    </HistoryLine>
  )
}
