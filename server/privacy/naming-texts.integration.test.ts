import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { declaration } from '@/lib/leads/testing/leads'
import { allow } from '@/server/access/viewer'
import { protectedPersons } from '@/server/base/access-schema'
import { activity, notes, replyTemplates, savedViews } from '@/server/base/schema'
import { addTemplate, ownTemplates } from '@/server/replies/reply-templates'
import { addView, listViews } from '@/server/leads/saved-views'
import { contactRights, eraseData } from './contact-rights'
import { makeExtract } from './extract'
import { changeProtection, listProtections, protectPerson } from './protect'
import { openRightsDesk } from './testing/rights-desk'

const list = 'declarations-of-interest'
const kind = 'declaration-of-interest'
const elsa = { firstName: 'Elsa Maria', lastName: 'Åberg Dahl', email: 'emd@example.se', phone: '070-174 06 05' }
const otto = { firstName: 'Otto', lastName: 'Ek', email: 'otto@example.se', phone: '070-111 11 11' }

const desk = await openRightsDesk()
const anna = allow(await desk.person('anna', 'admin', 'all'), 'admin')
const sara = allow(await desk.person('sara', 'staff', 'all'), 'leads:read')
beforeEach(async () => {
  for (const table of [protectedPersons, savedViews, notes, replyTemplates]) await desk.db.delete(table)
  desk.setDeclarations([declaration('d1', elsa), declaration('o1', otto)])
  desk.setQuestions([])
})
afterAll(() => desk.close())

const save = (name: string, q?: string) => addView(desk.parts, sara, { list, name, query: { q }, shared: true })
const contactOf = (user: Parameters<typeof declaration>[1]) => desk.parts.contactIds.of(kind, declaration('x', user))
const rightsOf = (contact: string) => contactRights(desk.parts, anna, { id: contact })
const viewsLeft = async () => (await listViews(desk.parts, anna)).views.map(({ name, query: { q } }) => q ?? name)

test('views that name the person or are a search for them go, as was shown before; those for many stay', async () => {
  const naming = ['Elsa Dahl', 'Elsa Åberg Dahl', 'Elsa Maria Åberg Dahls syskon']
  const searches = ['elsa dahl', 'els åbe', '070–174 06 05', '070 174 06', 'emd@ex']
  const others = ['Elsa', 'Dahl', 'Otto Ek']
  const searchesOfMany = ['elsa', 'dahl', '070', 'example.se', 'elsa ek', 'otto ek']
  for (const name of [...naming, ...others]) await save(name)
  for (const q of [...searches, ...searchesOfMany]) await save('Vy', q)
  const texts = (await rightsOf(contactOf(elsa))).naming.map(({ text }) => text)
  expect(texts.toSorted()).toEqual([...naming, ...searches.map((q) => `Vy · ${q}`)].toSorted())
  const given = { contact: contactOf(elsa), emails: ['emd@example.se'], phones: [] }
  await protectPerson(desk.parts, anna, { ...given, people: ['anna'], reason: 'x' })
  expect((await viewsLeft()).toSorted()).toEqual([...others, ...searchesOfMany].toSorted())
})

test('a search that says enough of the person and does not find them stays', async () => {
  for (const q of ['elsa dahl otto', '070 174 otto']) await save('Vy', q)
  expect((await rightsOf(contactOf(elsa))).naming.map(({ text }) => text)).toEqual(['Vy · elsa dahl otto'])
})

test('of each kind the newest hundred are shown', async () => {
  for (let left = 103; left > 0; left--)
    await addView(desk.parts, left % 2 === 0 ? anna : sara, { list, name: 'Elsa Dahl', query: {}, shared: false })
  expect((await rightsOf(contactOf(elsa))).naming).toHaveLength(100)
})

test('a change of the protection of who left no address removes the views that were saved since', async () => {
  const nameless = { firstName: 'Nils', lastName: 'Ström', email: null, phone: null }
  const lead = declaration('n1', nameless)
  desk.setDeclarations([lead, declaration('o1', otto)])
  const contact = desk.parts.contactIds.of(kind, lead)
  const given = { contact, emails: [], phones: [] }
  const { id } = await protectPerson(desk.parts, anna, { ...given, people: ['anna'], reason: 'x' })
  await save('Nils Ström')
  await save('Otto Ek')
  const [entry] = (await listProtections(desk.parts, anna)).protections
  const { naming } = await rightsOf(entry?.shown?.contactId ?? '')
  expect(naming.map(({ text }) => text)).toEqual(['Nils Ström'])
  const addresses = { ...given, contact: entry?.shown?.contactId ?? '' }
  await changeProtection(desk.parts, anna, { id, people: ['anna', 'sara'], addresses })
  expect(await viewsLeft()).toEqual(['Otto Ek'])
  const [log] = await desk.db.select().from(activity).where(eq(activity.action, 'protection-changed'))
  expect(log?.details).toEqual({ protection: id, added: ['sara'], removed: [] })
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
  const { naming } = await rightsOf(id)
  expect(naming.map(({ what, text, by }) => [what, text, by]).toSorted()).toEqual([
    ['template', 'En · Hej · Elsa Dahl fick plats', 'sara'],
    ['template', 'Två · Hej · Ring 070 174 06 05', 'sara'],
  ])
  const how = { language: 'sv', format: 'json', withStaff: false } as const
  const asked = { id, leads: [...leads], ...how }
  const extract: unknown = await (await makeExtract(desk.parts, anna, asked)).json()
  expect(extract).toMatchObject({ templates: [{ text: 'Två · Hej · Ring 070 174 06 05' }] })
  expect(await eraseData(desk.parts, anna, { id, leads: [...leads], confirm: 'erase' })).toMatchObject({ templates: 2 })
  expect(await templatesLeft()).toEqual(['Tre'])
  await saveAll()
  const given = { contact: id, emails: ['emd@example.se'], phones: [] }
  await protectPerson(desk.parts, anna, { ...given, people: ['anna'], reason: 'x' })
  expect(await templatesLeft()).toEqual(['Tre', 'Tre'])
})
