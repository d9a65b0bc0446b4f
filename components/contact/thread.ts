import type { ContactLead, LeadRef } from '@/lib/contract/lead'
import type { LeadEvent, Note } from '@/lib/contract/notes'

/** `isSent` is false until the server has answered. */
export type ShownNote = Note & { isSent: boolean }

/** What happened about a lead, beside the other leads of its person. */
export type HistoryEntry = { at: string } & (
  | { kind: 'note'; note: ShownNote }
  | { kind: 'event'; event: LeadEvent }
  | { kind: 'lead'; found: ContactLead }
)

/** The notes of this lead that are being saved are mutations with this key. */
export const noteKey = ({ kind, id }: LeadRef) => ['note', kind, id]

/**
 * Newest first. The log has the order of what happened at one moment; what it does not have yet came after it, and what
 * was done about a lead stands over that another lead came in.
 */
export function historyOf(
  notes: readonly ShownNote[],
  events: readonly LeadEvent[],
  others: readonly ContactLead[] = [],
): HistoryEntry[] {
  const unlogged = new Map(notes.map((note) => [note.id, note]))
  const entries: HistoryEntry[] = others.map((found) => ({ kind: 'lead', at: found.lead.createdAt, found }))
  for (const event of events) {
    const note = event.what === 'note' ? unlogged.get(event.noteId) : undefined
    if (note !== undefined) unlogged.delete(note.id)
    entries.push(note ? { kind: 'note', at: event.at, note } : { kind: 'event', at: event.at, event })
  }
  for (const note of unlogged.values()) entries.push({ kind: 'note', at: note.createdAt, note })
  return entries.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)).reverse()
}
