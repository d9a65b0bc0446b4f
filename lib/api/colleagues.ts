import { queryOptions } from '@tanstack/react-query'
import type { NewNote, Note, NotesAnswer, PresenceAnswer } from '@/lib/contract/colleagues'
import type { PeopleAnswer } from '@/lib/contract/user'
import type { LeadRef } from '@/lib/contract/lead'
import type { LeadHistory } from '@/lib/contract/lead-history'
import { nothing, queryString, request } from './send'
import { shape } from './shape'

export const noteKeys = { of: ({ kind, id }: LeadRef) => ['notes', kind, id] as const }

/** The notes on one lead, oldest first; the live stream tells of others' notes. */
export function notesOf({ kind, id }: LeadRef) {
  return queryOptions({
    queryKey: noteKeys.of({ kind, id }),
    queryFn: ({ signal }) =>
      request(`/api/notes${queryString({ kind, id })}`, { read: shape<NotesAnswer>({ notes: 'array' }), signal }),
    refetchOnWindowFocus: true,
  })
}

/** What the staff did about one lead, oldest first. Asked again with its notes, and when a list's triage changed. */
export function historyOf({ kind, id }: LeadRef) {
  return queryOptions({
    queryKey: [...noteKeys.of({ kind, id }), 'history'],
    queryFn: ({ signal }) =>
      request(`/api/lead-history${queryString({ kind, id })}`, {
        read: shape<LeadHistory>({ events: 'array' }),
        signal,
      }),
    refetchOnWindowFocus: true,
  })
}

/** Who can look after leads of this school, or be named in a note on one; undefined: of any school of one's own. */
export function peopleOfSchool(school: string | undefined) {
  return queryOptions({
    queryKey: ['people', school ?? null],
    queryFn: ({ signal }) =>
      request(`/api/people${queryString({ school })}`, { read: shape<PeopleAnswer>({ people: 'array' }), signal }),
    staleTime: 60_000,
  })
}

export function addNote(note: NewNote): Promise<Note> {
  return request('/api/notes', { method: 'POST', body: note, read: shape<Note>({ id: 'string', text: 'string' }) })
}

export function deleteNote(id: string): Promise<void> {
  return request(`/api/notes/${encodeURIComponent(id)}`, { method: 'DELETE', read: nothing })
}

export const presenceKeys = { of: ({ kind, id }: LeadRef) => ['presence', kind, id] as const }

/** Says which lead is open in this tab; answers who else has it open. */
export function sendPresence(tab: string, lead: LeadRef, signal: AbortSignal): Promise<PresenceAnswer> {
  const read = shape<PresenceAnswer>({ others: 'array' })
  return request('/api/presence', { method: 'POST', body: { tab, lead }, read, signal })
}

/** Says that this tab has no lead open; sent even when the page goes away in the same moment. */
export function sendAbsence(tab: string): void {
  const init: RequestInit = {
    method: 'POST',
    keepalive: true,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tab, lead: null }),
  }
  // Nobody waits for it: without it, the server takes silence for leaving.
  fetch('/api/presence', init).catch(() => {})
}
