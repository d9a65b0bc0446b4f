import { queryOptions } from '@tanstack/react-query'
import type { LeadRef } from '@/lib/contract/lead'
import type { NewNote, Note, NotesAnswer } from '@/lib/contract/note'
import { ApiError } from './api-error'
import { isRecord } from './lead-page'
import { queryString } from './query-string'
import { request } from './request'

export const noteKeys = { of: ({ kind, id }: LeadRef) => ['notes', kind, id] as const }

/** The notes on one lead, oldest first; the live stream tells of others' notes. */
export function notesOf({ kind, id }: LeadRef) {
  return queryOptions({
    queryKey: noteKeys.of({ kind, id }),
    queryFn: ({ signal }) => request(`/api/notes${queryString({ kind, id })}`, { read: readNotes, signal }),
    refetchOnWindowFocus: true,
  })
}

export function addNote(note: NewNote): Promise<Note> {
  return request('/api/notes', { method: 'POST', body: note, read: readNote })
}

export function deleteNote(id: string): Promise<void> {
  return request(`/api/notes/${encodeURIComponent(id)}`, { method: 'DELETE', read: () => undefined })
}

function readNotes(body: unknown): NotesAnswer {
  if (!isNotes(body)) throw new ApiError('unreadable', 200)
  return body
}

function readNote(body: unknown): Note {
  if (!isNote(body)) throw new ApiError('unreadable', 200)
  return body
}

function isNotes(body: unknown): body is NotesAnswer {
  return isRecord(body) && Array.isArray(body['notes'])
}

function isNote(body: unknown): body is Note {
  return isRecord(body) && typeof body['id'] === 'string' && typeof body['text'] === 'string'
}
