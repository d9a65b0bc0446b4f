import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { declaration } from '@/lib/leads/testing/leads'
import { allow, type Viewer } from '@/server/access/viewer'
import { mentions, notes } from '@/server/db/schema'
import { openTestDesk, type TestDesk } from '@/server/leads/testing/test-desk'
import { unseenMentions } from './mentions'
import { addNote, deleteNote, listNotes } from './notes'

const lead = { kind: 'declaration-of-interest', id: 'asa' } as const
let desk: TestDesk
let sara: Viewer
let nils: Viewer

beforeAll(async () => {
  desk = await openTestDesk()
  desk.setDeclarations([declaration('asa'), declaration('bo')])
  sara = await desk.person('sara', 'staff', ['norra'])
  nils = await desk.person('nils', 'staff', ['norra'])
  await desk.person('nilsson', 'admin', 'all')
  await desk.person('far', 'staff', ['sodra'])
  await desk.person('mia', 'manager', 'all')
})
afterAll(() => desk.close())
beforeEach(async () => {
  await desk.db.delete(notes)
})

const write = (text: string, of: { kind: typeof lead.kind; id: string } = lead) =>
  addNote(desk.parts, allow(sara, 'leads:triage'), { ...of, text })
const reaches = async (id: string) => (await unseenMentions(desk.db, id)).map((one) => one.id)

test('a note reaches those whom it names and who may read the lead, by ids alone', async () => {
  await write('@Nils kan du ringa? @far och @mia och @sara också')
  expect(await reaches('nils')).toEqual(['asa'])
  for (const nobody of ['nilsson', 'far', 'mia', 'sara']) expect(await reaches(nobody)).toEqual([])
  const [row] = await desk.db.select().from(mentions)
  expect(JSON.stringify(row)).not.toContain('ringa')
  await write('@nilsson')
  expect(await reaches('nilsson')).toEqual(['asa'])
})

test('until they have opened the lead’s notes; each lead stands once, the newest first', async () => {
  await write('@nils')
  await write('@nils igen')
  desk.time.ms += 60_000
  await write('@nils', { ...lead, id: 'bo' })
  expect(await reaches('nils')).toEqual(['bo', 'asa'])
  await listNotes(desk.parts, allow(sara, 'leads:read'), lead)
  expect(await reaches('nils')).toEqual(['bo', 'asa'])
  await listNotes(desk.parts, allow(nils, 'leads:read'), lead)
  expect(await reaches('nils')).toEqual(['bo'])
  await write('@nils en gång till')
  expect(await reaches('nils')).toEqual(['asa', 'bo'])
})

test('a note that is deleted reaches nobody any more', async () => {
  const { id } = await write('@nils')
  await deleteNote(desk.parts, allow(sara, 'leads:triage'), { id })
  expect(await reaches('nils')).toEqual([])
  expect(await desk.db.$count(mentions)).toBe(0)
})

test('of a note that names a whole school group, twenty', async () => {
  const crowd = Array.from({ length: 25 }, (_, at) => `k${at}x`)
  for (const id of crowd) await desk.person(id, 'staff', ['norra'])
  await write(crowd.map((name) => `@${name}`).join(' '))
  expect(await desk.db.$count(mentions)).toBe(20)
})
