import { asc } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Viewer } from '@/server/access/make-viewer'
import { activity, notes } from '@/server/db/schema'
import { ForbiddenError, NotFoundError } from '@/server/errors'
import { declaration, openTestDesk, type TestDesk } from '@/server/leads/testing/test-desk'
import { addNote } from './add-note'
import { deleteNote } from './delete-note'
import { listNotes } from './list-notes'

const parts = vi.hoisted(() => ({ current: {} }))
vi.mock('@/server/services', () => ({ services: () => parts.current }))

const lead = { kind: 'declaration-of-interest', id: 'asa' } as const

let desk: TestDesk
let sara: Viewer
let nils: Viewer
let anna: Viewer
let boss: Viewer
beforeAll(async () => {
  desk = await openTestDesk()
  parts.current = desk.parts
  desk.setDeclarations([declaration('asa')])
  sara = await desk.person('sara', 'staff', ['norra'])
  nils = await desk.person('nils', 'staff', ['sodra'])
  anna = await desk.person('anna', 'admin', 'all')
  boss = await desk.person('boss', 'manager', 'all')
})
afterAll(() => desk.close())

test('a note is read by whoever may see the lead, and by nobody else', async () => {
  const note = await addNote(sara, { ...lead, text: 'Åsas pappa ringde' })
  expect(note).toMatchObject({ text: 'Åsas pappa ringde', author: { id: 'sara', name: 'sara' } })
  expect(await listNotes(anna, lead)).toEqual([note])
  await expect(listNotes(nils, lead)).rejects.toThrow(NotFoundError)
  await expect(addNote(nils, { ...lead, text: 'x' })).rejects.toThrow(NotFoundError)
  await expect(listNotes(boss, lead)).rejects.toThrow(ForbiddenError)
  await expect(listNotes(sara, { ...lead, id: 'gone' })).rejects.toThrow(NotFoundError)
  await expect(listNotes(sara, { kind: 'asked-question', id: 'asa' })).rejects.toThrow(NotFoundError)
})

test('the text lies enciphered in its own row only, and the log has ids', async () => {
  const [row] = await desk.db.select().from(notes)
  expect(JSON.stringify(row)).not.toContain('pappa')
  const moved = { id: 'other', sealedText: row?.sealedText ?? '', createdAt: new Date() }
  await desk.db.insert(notes).values({ ...moved, kind: lead.kind, leadId: lead.id, authorId: 'sara' })
  expect((await listNotes(sara, lead)).find(({ id }) => id === 'other')?.text).toBe('')
  await deleteNote(sara, 'other')
  const log = await desk.db.select().from(activity).orderBy(asc(activity.id))
  expect(log.map(({ userId, action, leadId, details }) => ({ userId, action, leadId, details }))).toEqual([
    { userId: 'sara', action: 'note-added', leadId: 'asa', details: { note: row?.id } },
    { userId: 'sara', action: 'note-deleted', leadId: 'asa', details: { note: 'other' } },
  ])
})

test('its author and administrators delete it, once; those who see the lead are told', async () => {
  const colleague = await desk.person('eva', 'staff', ['norra'])
  const one = await addNote(sara, { ...lead, text: 'ett' })
  const two = await addNote(sara, { ...lead, text: 'två' })
  await expect(deleteNote(colleague, one.id)).rejects.toThrow(ForbiddenError)
  await expect(deleteNote(nils, one.id)).rejects.toThrow(NotFoundError)
  desk.events.length = 0
  await deleteNote(sara, one.id)
  await deleteNote(anna, two.id)
  await expect(deleteNote(sara, one.id)).rejects.toThrow(NotFoundError)
  expect(desk.events).toEqual([0, 1].map(() => ({ name: 'lead', school: 'norra', lead: { ...lead, what: 'notes' } })))
})
