import { useMutationState, useQuery } from '@tanstack/react-query'
import { useCurrentUser } from '@/components/app/current-user'
import { useIsLive } from '@/components/app/live'
import { apiQuery } from '@/lib/api/call'
import { pollUnlessLive } from '@/lib/api/polling'
import { toServerTime } from '@/lib/api/send'
import type { ContactLead, LeadRef } from '@/lib/contract/lead'
import type { LeadHistoryEvent, Note } from '@/lib/contract/notes'

const POLL_MS = 15_000
/** Because clocks differ, a note may be saved this much earlier than it was sent. */
const NOTE_TOLERANCE_MS = 60_000

export type HistoryNote = Note & { isSaved: boolean }

export type HistoryEntry = { id: string; time: string } & (
  | { kind: 'note'; note: HistoryNote }
  | { kind: 'event'; event: LeadHistoryEvent }
  | { kind: 'lead'; contactLead: ContactLead }
)

/** Loads notes and events of a lead. `entries` is undefined until both are loaded, `retryLoading` unless one failed. */
export function useLeadHistory(lead: LeadRef, otherLeads?: readonly ContactLead[]) {
  const pollOptions = { refetchInterval: pollUnlessLive(useIsLive(), POLL_MS), refetchOnWindowFocus: true }
  const me = useCurrentUser()
  const query = { kind: lead.kind, id: lead.id }
  const notesQuery = useQuery({ ...apiQuery('GET /api/notes', { query }), ...pollOptions })
  const eventsQuery = useQuery({ ...apiQuery('GET /api/lead-history', { query }), ...pollOptions })
  const pendingNotes = useMutationState({
    filters: { mutationKey: noteMutationKey(lead), status: 'pending' },
    select: ({ mutationId, state: { variables, submittedAt } }): Note => ({
      id: `pending ${mutationId}`,
      text: String(variables),
      author: { id: me?.id ?? '', name: me?.name ?? '' },
      createdAt: new Date(toServerTime(submittedAt)).toISOString(),
    }),
  })
  const notes = notesQuery.data && mergeNotes(notesQuery.data.notes, pendingNotes)
  const failedQueries = [notesQuery, eventsQuery].filter(({ isError, data }) => isError && data === undefined)
  return {
    entries: notes && eventsQuery.data && mergeHistory(notes, eventsQuery.data.events, otherLeads),
    retryLoading: failedQueries.length > 0 ? () => failedQueries.forEach(({ refetch }) => void refetch()) : undefined,
  }
}

export const noteMutationKey = ({ kind, id }: LeadRef) => ['note', kind, id]

/**
 * Merges notes, events and other leads, the newest first. Entries of one moment keep the order of the log; a note that
 * is not in the log yet counts as the latest, and another lead as the earliest.
 */
export function mergeHistory(
  notes: readonly HistoryNote[],
  events: readonly LeadHistoryEvent[],
  otherLeads: readonly ContactLead[] = [],
): HistoryEntry[] {
  const unloggedNotes = new Map(notes.map((note) => [note.id, note]))
  const entries = otherLeads.map((contactLead): HistoryEntry => {
    const { id, createdAt } = contactLead.lead
    return { kind: 'lead', id: `lead ${id}`, time: createdAt, contactLead }
  })
  for (const event of events) {
    const note = event.kind === 'note' ? unloggedNotes.get(event.noteId) : undefined
    if (note !== undefined) unloggedNotes.delete(note.id)
    // The id names the kind, too, because one decision is logged as several events of the same moment.
    const id = note?.id ?? `${event.at} ${event.kind}`
    entries.push(note ? { kind: 'note', id, time: event.at, note } : { kind: 'event', id, time: event.at, event })
  }
  for (const note of unloggedNotes.values()) entries.push({ kind: 'note', id: note.id, time: note.createdAt, note })
  return entries.sort((a, b) => Date.parse(a.time) - Date.parse(b.time)).reverse()
}

/** Joins saved and pending notes. A note that the live stream brings before its request is answered is shown once. */
export function mergeNotes(savedNotes: readonly Note[], pendingNotes: readonly Note[]): HistoryNote[] {
  const isListed = ({ author, text, createdAt }: Note) =>
    savedNotes.some((note) => {
      const isSame = note.author.id === author.id && note.text === text
      return isSame && Date.parse(note.createdAt) > Date.parse(createdAt) - NOTE_TOLERANCE_MS
    })
  return [
    ...savedNotes.map((note) => ({ ...note, isSaved: true })),
    ...pendingNotes.filter((note) => !isListed(note)).map((note) => ({ ...note, isSaved: false })),
  ]
}
