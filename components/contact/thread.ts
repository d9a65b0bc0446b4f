import type { ContactLead, LeadRef } from '@/lib/contract/lead'
import type { LeadEvent, Note } from '@/lib/contract/notes'

/** `isSent` is false until the server has answered. */
export type ShownNote = Note & { isSent: boolean }

/** Something that happened about a lead, or another lead of its person. */
export type HistoryEntry = { time: string } & (
  | { kind: 'note'; note: ShownNote }
  | { kind: 'event'; event: LeadEvent }
  | { kind: 'lead'; found: ContactLead }
)

/** The notes of this lead that are being saved are mutations with this key. */
export const noteKey = ({ kind, id }: LeadRef) => ['note', kind, id]

/** A saved note is the one being saved when author and text agree and it is at most so much older, since clocks differ. */
const SAME_NOTE_MS = 60_000

/**
 * Joins the saved notes and those being saved. The live stream may bring a note before the request that saves it is answered;
 * such a note is shown once.
 */
export function shownNotes(saved: readonly Note[], saving: readonly Note[]): ShownNote[] {
  const isSaved = ({ author, text, createdAt }: Note) =>
    saved.some((note) => {
      const isSame = note.author.id === author.id && note.text === text
      return isSame && Date.parse(note.createdAt) > Date.parse(createdAt) - SAME_NOTE_MS
    })
  return [
    ...saved.map((note) => ({ ...note, isSent: true })),
    ...saving.filter((note) => !isSaved(note)).map((note) => ({ ...note, isSent: false })),
  ]
}

/**
 * Sorts the entries, the newest first. Within one moment the log gives the order; a note that the log does not have yet came
 * last, and another lead came in first.
 */
export function historyOf(
  notes: readonly ShownNote[],
  events: readonly LeadEvent[],
  others: readonly ContactLead[] = [],
): HistoryEntry[] {
  const unlogged = new Map(notes.map((note) => [note.id, note]))
  const entries: HistoryEntry[] = others.map((found) => ({ kind: 'lead', time: found.lead.createdAt, found }))
  for (const event of events) {
    const note = event.what === 'note' ? unlogged.get(event.noteId) : undefined
    if (note !== undefined) unlogged.delete(note.id)
    entries.push(note ? { kind: 'note', time: event.at, note } : { kind: 'event', time: event.at, event })
  }
  for (const note of unlogged.values()) entries.push({ kind: 'note', time: note.createdAt, note })
  return entries.sort((a, b) => Date.parse(a.time) - Date.parse(b.time)).reverse()
}
