import type { ContactLead, LeadRef } from '@/lib/contract/lead'
import type { LeadHistoryEvent, Note } from '@/lib/contract/notes'

/** `isSent` is false until the server has answered. */
export type HistoryNote = Note & { isSent: boolean }

export type HistoryEntry = { id: string; time: string } & (
  | { kind: 'note'; note: HistoryNote }
  | { kind: 'event'; event: LeadHistoryEvent }
  | { kind: 'lead'; contactLead: ContactLead }
)

/**
 * Merges notes, events and other leads, the newest first. Entries of one moment keep the order of the log; a note that
 * is not in the log yet counts as the latest, and another lead as the earliest.
 */
export function mergeHistory(
  notes: readonly HistoryNote[],
  events: readonly LeadHistoryEvent[],
  otherLeads: readonly ContactLead[] = [],
): HistoryEntry[] {
  const unlogged = new Map(notes.map((note) => [note.id, note]))
  const entries = otherLeads.map((contactLead): HistoryEntry => {
    const { id, createdAt } = contactLead.lead
    return { kind: 'lead', id: `lead ${id}`, time: createdAt, contactLead }
  })
  for (const event of events) {
    const note = event.kind === 'note' ? unlogged.get(event.noteId) : undefined
    if (note !== undefined) unlogged.delete(note.id)
    // One decision is logged as several events of the same moment.
    const id = note?.id ?? `${event.at} ${event.kind}`
    entries.push(note ? { kind: 'note', id, time: event.at, note } : { kind: 'event', id, time: event.at, event })
  }
  for (const note of unlogged.values()) entries.push({ kind: 'note', id: note.id, time: note.createdAt, note })
  return entries.sort((a, b) => Date.parse(a.time) - Date.parse(b.time)).reverse()
}

export const noteMutationKey = ({ kind, id }: LeadRef) => ['note', kind, id]

/** Because clocks differ, a note may be saved this much earlier than it was sent. */
const NOTE_TOLERANCE_MS = 60_000

/** Joins saved and pending notes. The live stream may bring a note before its request is answered; it is shown once. */
export function mergeNotes(saved: readonly Note[], pendingNotes: readonly Note[]): HistoryNote[] {
  const isSaved = ({ author, text, createdAt }: Note) =>
    saved.some((note) => {
      const isSame = note.author.id === author.id && note.text === text
      return isSame && Date.parse(note.createdAt) > Date.parse(createdAt) - NOTE_TOLERANCE_MS
    })
  return [
    ...saved.map((note) => ({ ...note, isSent: true })),
    ...pendingNotes.filter((note) => !isSaved(note)).map((note) => ({ ...note, isSent: false })),
  ]
}
