import { asc } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { declaration } from '@/lib/leads/testing/leads'
import type { Decider, Viewer } from '@/server/access/viewer'
import { ConflictError, ForbiddenError, NotFoundError } from '@/server/base/errors'
import { activity, notes } from '@/server/base/schema'
import { addNote, deleteNote, findUnseenMentions, listNotes } from './notes'
import { openTestDesk } from './testing/test-desk'

const kind = 'declaration-of-interest'
const asa = { kind, id: 'asa' } as const
const bo = { kind, id: 'bo' } as const

const desk = await openTestDesk()
const parts = desk.parts
desk.setDeclarations([declaration('asa'), declaration('bo')])
const staff = (id: string, school = 'norra') => desk.addPerson(id, 'staff', [school])
const sara = await staff('sara')
const eva = await staff('eva')
const nisse = await staff('nisse')
const nils = await staff('nils', 'sodra')
const anna = await desk.addPerson('anna', 'admin', 'all')
const mia = await desk.addPerson('mia', 'manager', 'all')
beforeEach(async () => {
  await desk.db.delete(notes)
  await desk.db.delete(activity)
  desk.events.length = 0
})
afterAll(() => desk.close())

const write = (text: string, lead: typeof asa | typeof bo = asa, by: Decider = sara) =>
  addNote(parts, by, { ...lead, text })

test('a note is read by users who may see the lead, by kind and id', async () => {
  const note = await write('Åsas pappa ringde')
  expect(note).toMatchObject({ text: 'Åsas pappa ringde', author: { id: 'sara', name: 'sara' } })
  expect(await listNotes(parts, anna, asa)).toEqual({ notes: [note] })
  await expect(listNotes(parts, nils, asa)).rejects.toThrow(NotFoundError)
  await expect(listNotes(parts, sara, { kind: 'asked-question', id: 'asa' })).rejects.toThrow(NotFoundError)
})

test('the text lies encrypted, to be read in its own row only, and the log has ids', async () => {
  const { id } = await write('Åsas pappa ringde')
  const [row] = await desk.db.select().from(notes)
  expect(JSON.stringify(row)).not.toContain('pappa')
  await desk.db.update(notes).set({ id: 'moved' })
  expect((await listNotes(parts, sara, asa)).notes).toMatchObject([{ id: 'moved', text: '' }])
  await deleteNote(parts, sara, { id: 'moved' })
  const log = await desk.db.select().from(activity).orderBy(asc(activity.id))
  expect(log).toMatchObject([
    { userId: 'sara', action: 'note-added', leadId: 'asa', details: { note: id } },
    { userId: 'sara', action: 'note-deleted', leadId: 'asa', details: { note: 'moved' } },
  ])
})

test('its author and administrators delete a note, once; those who see the lead get an event of each change', async () => {
  const [first, second] = [await write('ett'), await write('två')]
  await expect(deleteNote(parts, eva, { id: first.id })).rejects.toThrow(ForbiddenError)
  await deleteNote(parts, sara, { id: first.id })
  await deleteNote(parts, anna, { id: second.id })
  await expect(deleteNote(parts, sara, { id: first.id })).rejects.toThrow(NotFoundError)
  expect(desk.events).toEqual(
    [0, 1, 2, 3].map(() => ({ name: 'lead', school: 'norra', lead: { ...asa, what: 'notes' } })),
  )
})

test('a lead has two hundred notes at most, the oldest first', async () => {
  const note = { kind, leadId: 'asa', authorId: 'anna', sealedText: '' } as const
  const rows = Array.from({ length: 199 }, (_, at) => {
    return { ...note, id: String(at), createdAt: new Date(desk.time.ms - at) }
  })
  await desk.db.insert(notes).values(rows)
  await write('den sista')
  await expect(write('en till')).rejects.toThrow(ConflictError)
  const times = (await listNotes(parts, sara, asa)).notes.map(({ createdAt }) => createdAt)
  expect(times).toEqual(times.toSorted())
})

const mentions = async (viewer: Viewer) => (await findUnseenMentions(desk.db, viewer)).map(({ id }) => id)

test('a note that names people reaches those who may read the lead until it is deleted', async () => {
  const nisselin = await desk.addPerson('nisselin', 'admin', 'all')
  await write('@Nisse kan du ringa? @nils och @mia och @sara också')
  expect(await mentions(nisse)).toEqual(['asa'])
  for (const nobody of [nisselin, nils, mia, sara]) expect(await mentions(nobody)).toEqual([])
  const { id } = await write('@nisselin')
  expect(await mentions(nisselin)).toEqual(['asa'])
  await deleteNote(parts, sara, { id })
  expect(await mentions(nisselin)).toEqual([])
})

test('a mention reaches them until they open the lead’s notes; each lead is there once, the newest first', async () => {
  await write('@nisse')
  await write('@nisse igen')
  desk.time.ms += 60_000
  await write('@nisse', bo)
  await listNotes(parts, sara, asa)
  expect(await mentions(nisse)).toEqual(['bo', 'asa'])
  await listNotes(parts, nisse, asa)
  expect(await mentions(nisse)).toEqual(['bo'])
})
