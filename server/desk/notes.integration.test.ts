import { asc } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { declaration } from '@/lib/leads/testing/leads'
import { allow, type Allowed, type Viewer } from '@/server/access/viewer'
import { activity, notes } from '@/server/db/schema'
import { ConflictError, ForbiddenError, NotFoundError } from '@/server/errors'
import { openTestDesk, type TestDesk } from '@/server/leads/testing/test-desk'
import { addNote, deleteNote, listNotes } from './notes'

const lead = { kind: 'declaration-of-interest', id: 'asa' } as const

type Colleague = Allowed<'leads:triage'>

let desk: TestDesk
let parts: TestDesk['parts']
let sara: Colleague
let nils: Colleague
let anna: Colleague
let boss: Viewer
beforeAll(async () => {
  desk = await openTestDesk()
  parts = desk.parts
  desk.setDeclarations([declaration('asa')])
  sara = allow(await desk.person('sara', 'staff', ['norra']), 'leads:triage')
  nils = allow(await desk.person('nils', 'staff', ['sodra']), 'leads:triage')
  anna = allow(await desk.person('anna', 'admin', 'all'), 'leads:triage')
  boss = await desk.person('boss', 'manager', 'all')
})
afterAll(() => desk.close())

test('a note is read by whoever may see the lead, and by nobody else', async () => {
  const note = await addNote(parts, sara, { ...lead, text: 'Åsas pappa ringde' })
  expect(note).toMatchObject({ text: 'Åsas pappa ringde', author: { id: 'sara', name: 'sara' } })
  expect(await listNotes(parts, anna, lead)).toEqual({ notes: [note] })
  await expect(listNotes(parts, nils, lead)).rejects.toThrow(NotFoundError)
  await expect(addNote(parts, nils, { ...lead, text: 'x' })).rejects.toThrow(NotFoundError)
  for (const permission of ['leads:read', 'leads:triage'] as const) {
    expect(() => allow(boss, permission)).toThrow(ForbiddenError)
  }
  await expect(listNotes(parts, sara, { ...lead, id: 'gone' })).rejects.toThrow(NotFoundError)
  await expect(listNotes(parts, sara, { kind: 'asked-question', id: 'asa' })).rejects.toThrow(NotFoundError)
})

test('the text lies enciphered in its own row only, and the log has ids', async () => {
  const [row] = await desk.db.select().from(notes)
  expect(JSON.stringify(row)).not.toContain('pappa')
  const moved = { id: 'other', sealedText: row?.sealedText ?? '', createdAt: new Date() }
  await desk.db.insert(notes).values({ ...moved, kind: lead.kind, leadId: lead.id, authorId: 'sara' })
  expect((await listNotes(parts, sara, lead)).notes.find(({ id }) => id === 'other')?.text).toBe('')
  await deleteNote(parts, sara, { id: 'other' })
  const log = await desk.db.select().from(activity).orderBy(asc(activity.id))
  expect(log.map(({ userId, action, leadId, details }) => ({ userId, action, leadId, details }))).toEqual([
    { userId: 'sara', action: 'note-added', leadId: 'asa', details: { note: row?.id } },
    { userId: 'sara', action: 'note-deleted', leadId: 'asa', details: { note: 'other' } },
  ])
})

test('its author and administrators delete it, once; those who see the lead get an event', async () => {
  const eva = allow(await desk.person('eva', 'staff', ['norra']), 'leads:triage')
  const one = await addNote(parts, sara, { ...lead, text: 'ett' })
  const two = await addNote(parts, sara, { ...lead, text: 'två' })
  await expect(deleteNote(parts, eva, { id: one.id })).rejects.toThrow(ForbiddenError)
  await expect(deleteNote(parts, nils, { id: one.id })).rejects.toThrow(NotFoundError)
  desk.events.length = 0
  await deleteNote(parts, sara, { id: one.id })
  await deleteNote(parts, anna, { id: two.id })
  await expect(deleteNote(parts, sara, { id: one.id })).rejects.toThrow(NotFoundError)
  expect(desk.events).toEqual([0, 1].map(() => ({ name: 'lead', school: 'norra', lead: { ...lead, what: 'notes' } })))
})

test('a lead has two hundred notes at most, and a person writes a thousand in a day', async () => {
  await desk.db.delete(notes)
  const rows = (count: number, leadId: string, authorId: string) =>
    Array.from({ length: count }, (_, at) => ({
      id: `${leadId} ${authorId} ${at}`,
      kind: lead.kind,
      leadId,
      authorId,
      sealedText: '',
      createdAt: new Date(desk.time.ms - at),
    }))
  await desk.db.insert(notes).values(rows(199, 'asa', 'anna'))
  await addNote(parts, sara, { ...lead, text: 'den sista' })
  await expect(addNote(parts, sara, { ...lead, text: 'en till' })).rejects.toThrow(ConflictError)
  // More than there may be, as from before there was an end: the newest are sent, in their order.
  await desk.db.insert(notes).values(rows(50, 'asa', 'boss'))
  const { notes: read } = await listNotes(parts, sara, lead)
  expect([read.length, read.map(({ createdAt }) => createdAt)]).toEqual([
    200,
    read.map(({ createdAt }) => createdAt).toSorted(),
  ])

  desk.setDeclarations([declaration('asa'), declaration('bo')])
  await desk.db.insert(notes).values(rows(999, 'gone', 'sara'))
  const bo = { kind: lead.kind, id: 'bo' }
  await expect(addNote(parts, sara, { ...bo, text: 'idag' })).rejects.toThrow(ConflictError)
  await addNote(parts, anna, { ...bo, text: 'en annan' })
  desk.time.ms += 25 * 3_600_000
  await addNote(parts, sara, { ...bo, text: 'i morgon' })
})
