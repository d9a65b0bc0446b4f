import { eq } from 'drizzle-orm'
import { afterAll, expect, test, vi } from 'vitest'
import { declaration, question } from '@/lib/leads/testing/leads'
import { activity } from '@/server/base/schema'
import { addAttempt } from './attempts'
import { getLeadHistory } from './lead-history'
import { addNote, deleteNote } from './notes'
import { openTestDesk } from './testing/test-desk'

const lead = { kind: 'asked-question', id: 'q1' } as const

const desk = await openTestDesk()
const sara = await desk.addPerson('sara', 'staff', ['norra'])
desk.setQuestions([question('q1'), question('q2')])
desk.setDeclarations([declaration('q1')])
// Decisions are dated by the clock of the process, notes and attempts by the desk's.
vi.useFakeTimers({ toFake: ['Date'], now: desk.time.ms })
afterAll(async () => {
  vi.useRealTimers()
  await desk.close()
})

const minute = () => vi.setSystemTime((desk.time.ms += 60_000))
const history = async () => (await getLeadHistory(desk.parts, sara, lead)).events

test('who did what and when, in the order in which it happened, of this lead alone', async () => {
  expect(await history()).toEqual([])
  await desk.decide(sara, [lead], { status: 'in-progress', assignee: 'me' })
  minute()
  await desk.decide(sara, [{ kind: 'declaration-of-interest', id: 'q1' }], { status: 'handled' })
  const attempt = { ...lead, channel: 'phone', outcome: 'no-answer', snoozeUntil: '2026-11-30' } as const
  const { undo } = await addAttempt(desk.parts, sara, attempt)
  minute()
  const note = await addNote(desk.parts, sara, { ...lead, text: 'Ringer på måndag' })
  const [by, at] = [{ id: 'sara', name: 'sara' }, expect.any(String)]
  expect(await history()).toEqual([
    { kind: 'status', from: 'new', to: 'in-progress', by, at },
    { kind: 'assignee', to: by, by, at },
    { kind: 'snooze', until: '2026-11-30', by, at },
    { kind: 'attempt', channel: 'phone', outcome: 'no-answer', by, at },
    { kind: 'note', noteId: note.id, by, at },
  ])
  minute()
  await desk.undo(sara, undo)
  await deleteNote(desk.parts, sara, { id: note.id })
  expect((await history()).slice(2)).toMatchObject([
    { kind: 'snooze', until: '2026-11-30', undone: true },
    { kind: 'attempt', undone: true },
    { kind: 'note' },
    { kind: 'note-deleted', noteId: note.id },
  ])
  await desk.db.delete(activity).where(eq(activity.action, 'attempt-logged'))
  expect(JSON.stringify(await history()), 'of its undo alone').not.toContain('attempt')
  await desk.parts.activity.record({ userId: 'sara', action: 'data-erased', lead })
  expect(await history(), 'before an erasure').toEqual([])
})
