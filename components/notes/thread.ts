import type { ContactLead } from '@/lib/contract/lead'
import type { LeadEvent } from '@/lib/contract/notes'
import type { ShownNote } from './own-notes'

type Entry = ShownNote | LeadEvent

/** Oldest first. The log has the order of what happened at one moment; what it does not have yet came after it. */
export function threadOf(notes: readonly ShownNote[], events: readonly LeadEvent[]): Entry[] {
  const unlogged = new Map(notes.map((note) => [note.id, note]))
  const logged = events.map((event) => {
    const note = event.what === 'note' ? unlogged.get(event.noteId) : undefined
    if (note !== undefined) unlogged.delete(note.id)
    return { at: event.at, entry: note ?? event }
  })
  const others = [...unlogged.values()].map((note) => ({ at: note.createdAt, entry: note }))
  return [...logged, ...others].sort((a, b) => Date.parse(a.at) - Date.parse(b.at)).map(({ entry }) => entry)
}

export type HistoryLine = { at: string } & ({ found: ContactLead } | { one: Entry })

/** Newest first: of one moment what was done about a lead stands over that a lead came in. */
export function linesOf(found: readonly ContactLead[], thread: readonly Entry[]): HistoryLine[] {
  const came = found.map((other) => ({ at: other.lead.createdAt, found: other }))
  const done = thread.toReversed().map((one) => ({ at: 'text' in one ? one.createdAt : one.at, one }))
  return [...done, ...came].sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
}
