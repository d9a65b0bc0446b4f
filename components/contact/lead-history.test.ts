import { expect, it } from 'vitest'
import type { LeadHistoryEvent } from '@/lib/contract/notes'
import { questionItem } from '@/lib/leads/testing/leads'
import { mergeHistory, type HistoryNote, mergeNotes } from './lead-history'

const at = '2026-11-23T09:00:00.000Z'
const later = '2026-11-23T09:00:00.004Z'
const sara = { id: 'sara', name: 'Sara' }
const note = (id: string, createdAt = at): HistoryNote => ({ id, text: id, author: sara, createdAt, isSaved: true })
const written = (noteId: string, when = at): LeadHistoryEvent => ({ kind: 'note', noteId, at: when, by: sara })
const taken: LeadHistoryEvent = { kind: 'status', from: 'new', to: 'in-progress', at, by: sara }
const assigned: LeadHistoryEvent = { kind: 'assignee', to: sara, at, by: sara }
const called: LeadHistoryEvent = { kind: 'attempt', channel: 'phone', outcome: 'talked', at, by: sara }
const reason = { by: 'anchor', sameName: null } as const
const asked = { kind: 'asked-question', lead: questionItem('q1', { createdAt: at }), reason } as const

it.each<[string, Parameters<typeof mergeHistory>, string[]]>([
  [
    'what happened at one moment keeps the order of the log, and a note the place of its entry',
    [
      [note('first'), note('second')],
      [taken, assigned, written('first'), called, written('second', later)],
    ],
    ['second', 'attempt', 'first', 'assignee', 'status'],
  ],
  ['a note without an entry is the latest', [[note('new')], [taken]], ['new', 'status']],
  ['a deleted note leaves its entry', [[], [taken, written('gone')]], ['note', 'status']],
  ['a lead is below a decision of its moment', [[], [taken], [asked]], ['status', 'lead']],
])('%s', (_, merged, expected) => {
  const entries = mergeHistory(...merged)
  const names = entries.map((entry) => {
    if (entry.kind === 'note') return entry.note.id
    return entry.kind === 'event' ? entry.event.kind : 'lead'
  })
  expect(names).toEqual(expected)
  expect(new Set(entries.map(({ id }) => id)).size).toBe(expected.length)
})

it.each<[string, Partial<HistoryNote>, string[]]>([
  ['once, if it is saved already', {}, ['saved']],
  ['beside another', { text: 'Call tomorrow' }, ['saved', 'pending']],
  ['beside the same words of a colleague', { author: { id: 'omar', name: 'Omar' } }, ['saved', 'pending']],
  ['beside the same words of yesterday', { createdAt: '2026-11-22T09:00:00.000Z' }, ['saved', 'pending']],
])('a note that is being saved is shown %s', (_, saved, expected) => {
  const text = 'Call after three'
  const notes = mergeNotes([{ ...note('saved'), text, ...saved }], [{ ...note('pending', later), text }])
  expect(notes.map(({ id, isSaved }) => [id, isSaved])).toEqual(expected.map((id) => [id, id === 'saved']))
})
