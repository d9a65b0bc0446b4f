import { afterAll, beforeEach, expect, test } from 'vitest'
import { declaration } from '@/lib/leads/testing/leads'
import { allow } from '@/server/access/viewer'
import { protectedPersons } from '@/server/base/access-schema'
import { exports, notes, replyTemplates, savedViews } from '@/server/base/schema'
import { addTemplate, ownTemplates } from '@/server/replies/reply-templates'
import { addNote } from '@/server/leads/notes'
import { addView, listViews } from '@/server/leads/saved-views'
import { contactRights, eraseData, makeExtract } from './contact-rights'
import { protectPerson } from './protect'
import { openRightsDesk } from './testing/rights-desk'

const list = 'declarations-of-interest'
const kind = 'declaration-of-interest'
const elsa = { firstName: 'Elsa Maria', lastName: 'Åberg Dahl', email: 'emd@example.se', phone: '070-174 06 05' }
const otto = { firstName: 'Otto', lastName: 'Ek', email: 'otto@example.se', phone: '070-111 11 11' }

const desk = await openRightsDesk()
const anna = allow(await desk.person('anna', 'admin', 'all'), 'admin')
const sara = allow(await desk.person('sara', 'staff', 'all'), 'leads:read')
beforeEach(async () => {
  for (const table of [protectedPersons, savedViews, notes, replyTemplates, exports]) await desk.db.delete(table)
  desk.setDeclarations([declaration('d1', elsa), declaration('o1', otto)])
  desk.setQuestions([])
})
afterAll(() => desk.close())

const save = (name: string, q?: string) => addView(desk.parts, sara, { list, name, query: { q }, shared: true })
const contactOf = (user: Parameters<typeof declaration>[1]) =>
  desk.parts.contactIds.encrypt(kind, declaration('x', user))
const rightsOf = (contact: string) => contactRights(desk.parts, anna, { id: contact })
const viewsLeft = async () => (await listViews(desk.parts, anna)).views.map(({ name, query: { q } }) => q ?? name)

test('views that name the person go, as was shown before; those for many stay', async () => {
  const naming = ['Elsa Dahl', 'Elsa Åberg Dahl', 'Elsa Maria Åberg Dahls syskon']
  const searches = ['elsa dahl', '070–174 06 05', 'emd@example.se']
  const others = ['Elsa', 'Dahl', 'Otto Ek']
  const searchesOfMany = ['elsa', '070', 'example.se', 'elsa ek', 'otto ek']
  for (const name of [...naming, ...others]) await save(name)
  for (const q of [...searches, ...searchesOfMany]) await save('Vy', q)
  const texts = (await rightsOf(contactOf(elsa))).mentions.map(({ text }) => text)
  expect(texts.toSorted()).toEqual([...naming, ...searches.map((q) => `Vy · ${q}`)].toSorted())
  const given = { contact: contactOf(elsa), emails: ['emd@example.se'], phones: [] }
  await protectPerson(desk.parts, anna, { ...given, people: ['anna'], reason: 'x' })
  expect((await viewsLeft()).toSorted()).toEqual([...others, ...searchesOfMany].toSorted())
})

test('notes on other leads and purposes of exports that name the person are shown, and stay', async () => {
  await addNote(desk.parts, anna, { kind, id: 'o1', text: 'Syster till Elsa  ÅBERG' })
  await addNote(desk.parts, anna, { kind, id: 'd1', text: 'Elsa Dahl ringde' })
  const reason = { purpose: 'Brev till Elsa Dahl', matching: null, newOnly: false }
  const entry = { list, format: 'csv', scope: 'x', reason } as const
  await desk.parts.exportLog.begin(allow(anna, 'leads:export'), { ...entry, columns: ['id'], leadIds: ['o1'] })
  const { mentions } = await rightsOf(contactOf(elsa))
  expect(mentions.map(({ kind: its, text, contactId }) => [its, text, contactId]).toSorted()).toEqual([
    ['note', 'Syster till Elsa  ÅBERG', contactOf(otto)],
    ['purpose', 'Brev till Elsa Dahl', null],
  ])
  expect(mentions.every(({ leads }) => leads.map(({ id }) => id).join() === 'd1')).toBe(true)
})

test('own templates that name the person are shown, in the extract by address, and gone with an erasure or a protection', async () => {
  const add = (name: string, body: string) => {
    const own = { language: 'sv', name, subject: 'Hej', body, isOwn: true } as const
    return addTemplate(desk.parts, allow(sara, 'leads:reply'), own)
  }
  const templatesLeft = async () => (await ownTemplates(desk.db, desk.parts.seal)).map(({ name }) => name)
  const saveAll = async () => {
    await add('En', 'Elsa Dahl fick plats')
    await add('Två', 'Ring 070 174 06 05')
    await add('Tre', 'Elsa fick plats')
  }
  const id = contactOf(elsa)
  const leads = [{ kind, id: 'd1' }] as const
  await saveAll()
  const { mentions } = await rightsOf(id)
  expect(mentions.map(({ kind: its, text }) => [its, text]).toSorted()).toEqual([
    ['template', 'En · Hej · Elsa Dahl fick plats'],
    ['template', 'Två · Hej · Ring 070 174 06 05'],
  ])
  expect((await makeExtract(desk.parts, anna, { id, leads: [...leads] })).mentions).toMatchObject([
    { kind: 'template', text: 'Två · Hej · Ring 070 174 06 05' },
  ])
  await eraseData(desk.parts, anna, { id, leads: [...leads] })
  expect(await templatesLeft()).toEqual(['Tre'])
  await saveAll()
  const given = { contact: id, emails: ['emd@example.se'], phones: [] }
  await protectPerson(desk.parts, anna, { ...given, people: ['anna'], reason: 'x' })
  expect(await templatesLeft()).toEqual(['Tre', 'Tre'])
})
