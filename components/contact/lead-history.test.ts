import { expect, it } from 'vitest'
import type { ContactLead } from '@/lib/contract/lead'
import type { LeadHistoryEvent } from '@/lib/contract/notes'
import { mergeHistory, type HistoryNote, mergeNotes } from './lead-history'

const at = '2026-11-23T09:00:00.000Z'
const later = '2026-11-23T09:00:00.004Z'
const sara = { id: 'sara', name: 'Sara' }
const note = (id: string, createdAt: string): HistoryNote => ({ id, text: id, author: sara, createdAt, isSent: true })
const written = (noteId: string, when = at): LeadHistoryEvent => ({ what: 'note', noteId, at: when, by: sara })
const taken: LeadHistoryEvent = { what: 'status', from: 'new', to: 'in-progress', at, by: sara }
const assigned: LeadHistoryEvent = { what: 'assignee', to: sara, at, by: sara }
const called: LeadHistoryEvent = { what: 'attempt', channel: 'phone', outcome: 'talked', at, by: sara }

const named = (...given: Parameters<typeof mergeHistory>) =>
  mergeHistory(...given).map((entry) => {
    if (entry.kind === 'note') return entry.note.id
    return entry.kind === 'event' ? entry.event.what : 'lead'
  })

it('what happened at one moment keeps the order of the log, also the notes', () => {
  const events = [taken, assigned, written('first'), called, written('second', later)]
  // A note is dated a little before its entry in the log.
  const notes = [note('first', at), note('second', at)]
  expect(named(notes, events)).toEqual(['second', 'attempt', 'first', 'assignee', 'status'])
  expect(new Set(mergeHistory(notes, events).map(({ id }) => id)).size).toBe(5)
})

it('a note that the log does not have yet came last, and one that is deleted leaves its entry', () => {
  expect(named([note('new', at)], [taken, written('gone')])).toEqual(['new', 'note', 'status'])
})

it('a lead that came in at the moment of a decision stands below it', () => {
  const came = { kind: 'asked-question', lead: { id: 'q1', createdAt: at } } as unknown as ContactLead
  expect(named([], [taken], [came])).toEqual(['status', 'lead'])
})

it('a note that is being saved is shown once, whichever comes first: its answer or the live stream', () => {
  const saving = { ...note('new', later), text: 'Call after three' }
  const shown = (saved: HistoryNote) =>
    mergeNotes([saved], [saving]).map(({ id, isSent }) => (isSent ? id : `${id}, unsent`))
  expect(shown(note('other', later))).toEqual(['other', 'new, unsent'])
  expect(shown({ ...note('saved', at), text: 'Call after three' })).toEqual(['saved'])
  const colleagues = { ...note('omars', at), text: 'Call after three', author: { id: 'omar', name: 'Omar' } }
  expect(shown(colleagues)).toEqual(['omars', 'new, unsent'])
  const yesterday = '2026-11-22T09:00:00.000Z'
  expect(shown({ ...note('old', yesterday), text: 'Call after three' })).toHaveLength(2)
})
