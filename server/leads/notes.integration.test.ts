import { asc } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { declaration } from '@/lib/leads/testing/leads'
import { allow, makeViewer } from '@/server/access/viewer'
import { activity, notes } from '@/server/base/schema'
import { ConflictError, ForbiddenError, NotFoundError } from '@/server/base/errors'
import { openTestDesk } from './testing/test-desk'
import { addNote, deleteNote, listNotes, unseenMentions } from './notes'

const lead = { kind: 'declaration-of-interest', id: 'asa' } as const

const desk = await openTestDesk()
const parts = desk.parts
desk.setDeclarations([declaration('asa')])
const sara = allow(await desk.person('sara', 'staff', ['norra']), 'leads:triage')
await desk.person('nils', 'staff', ['sodra'])
const anna = allow(await desk.person('anna', 'admin', 'all'), 'leads:triage')
await desk.person('boss', 'manager', 'all')
afterAll(() => desk.close())

const viewerOf = (id: string) => makeViewer({ id, name: id, email: '', role: 'staff', schools: ['norra'] })

test('a note is read by users who may see the lead, by kind and id', async () => {
  const note = await addNote(parts, sara, { ...lead, text: 'Åsas pappa ringde' })
  expect(note).toMatchObject({ text: 'Åsas pappa ringde', author: { id: 'sara', name: 'sara' } })
  expect(await listNotes(parts, anna, lead)).toEqual({ notes: [note] })
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

describe('a note that names people', () => {
  beforeAll(async () => {
    desk.setDeclarations([declaration('asa'), declaration('bo')])
    await desk.person('nisse', 'staff', ['norra'])
    await desk.person('nisselin', 'admin', 'all')
    await desk.person('mia', 'manager', 'all')
  })
  beforeEach(() => desk.db.delete(notes))
  const write = (text: string, id = 'asa') => addNote(parts, sara, { ...lead, id, text })
  const open = (id: string) => listNotes(parts, allow(viewerOf(id), 'leads:read'), lead)
  const reaches = async (id: string) => (await unseenMentions(desk.db, viewerOf(id))).map((one) => one.id)

  test('reaches those who may read the lead, by ids alone', async () => {
    await write('@Nisse kan du ringa? @nils och @mia och @sara också')
    expect(await reaches('nisse')).toEqual(['asa'])
    for (const nobody of ['nisselin', 'nils', 'mia', 'sara']) expect(await reaches(nobody)).toEqual([])
    expect(JSON.stringify(await desk.db.select().from(notes))).not.toContain('ringa')
    await write('@nisselin')
    expect(await reaches('nisselin')).toEqual(['asa'])
  })

  test('until they have opened the lead’s notes; each lead is there once, the newest first', async () => {
    await write('@nisse')
    await write('@nisse igen')
    desk.time.ms += 60_000
    await write('@nisse', 'bo')
    expect(await reaches('nisse')).toEqual(['bo', 'asa'])
    await open('sara')
    expect(await reaches('nisse')).toEqual(['bo', 'asa'])
    await open('nisse')
    expect(await reaches('nisse')).toEqual(['bo'])
    await write('@nisse en gång till')
    expect(await reaches('nisse')).toEqual(['asa', 'bo'])
  })

  test('reaches nobody any more when it is deleted', async () => {
    const { id } = await write('@nisse')
    await deleteNote(parts, sara, { id })
    expect(await reaches('nisse')).toEqual([])
  })

  test('reaches twenty of a whole school group', async () => {
    const crowd = Array.from({ length: 25 }, (_, at) => `k${at}x`)
    for (const id of crowd) await desk.person(id, 'staff', ['norra'])
    await write(crowd.map((name) => `@${name}`).join(' '))
    const [note] = await desk.db.select().from(notes)
    expect(note?.unseenBy).toHaveLength(20)
  })
})
