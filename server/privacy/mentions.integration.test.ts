import { afterAll, beforeEach, expect, test } from 'vitest'
import { declaration } from '@/lib/leads/testing/leads'
import { requirePermission } from '@/server/access/viewer'
import { protectedPersons } from '@/server/base/access-schema'
import { exports, notes, replyTemplates, savedViews } from '@/server/base/schema'
import { addNote } from '@/server/leads/notes'
import { addView, listViews } from '@/server/leads/saved-views'
import { addTemplate, readOwnTemplates } from '@/server/replies/reply-templates'
import { eraseData, getContactRights, makeExtract } from './contact-rights'
import { openRightsDesk } from './testing/rights-desk'

const list = 'declarations-of-interest'
const kind = 'declaration-of-interest'
const elsa = { firstName: 'Elsa Maria', lastName: 'Åberg Dahl', email: 'emd@example.se', phone: '070-174 06 05' }
const elsas = declaration('d1', elsa)
const ottos = declaration('o1', { firstName: 'Otto', lastName: 'Ek', email: 'otto@example.se', school: 'sodra' })

const desk = await openRightsDesk()
const { parts } = desk
const anna = requirePermission(await desk.addPerson('anna', 'admin', 'all'), 'admin')
const bo = requirePermission(await desk.addPerson('bo', 'admin', ['norra']), 'admin')
const id = desk.getContactId(elsas)
desk.setDeclarations([elsas, ottos])
beforeEach(async () => {
  for (const table of [protectedPersons, savedViews, notes, replyTemplates, exports]) await desk.db.delete(table)
})
afterAll(() => desk.close())

const listMentions = async (viewer = anna) => (await getContactRights(parts, viewer, { id })).mentions
const listTexts = async () => (await listMentions()).map((mention) => `${mention.kind}: ${mention.text}`).toSorted()

test('views that name the person are shown, and go with a protection; those for many stay', async () => {
  const naming = ['Elsa Dahl', 'Elsa Åberg Dahl', 'Elsa Maria Åberg Dahls syskon']
  const searches = ['elsa dahl', '070–174 06 05', 'emd@example.se']
  const others = ['Elsa', 'Dahl', 'Otto Ek']
  const searchesOfMany = ['elsa', '070', 'example.se', 'elsa ek', 'otto ek']
  const save = (name: string, q?: string) => addView(parts, anna, { list, name, query: { q }, shared: true })
  for (const name of [...naming, ...others]) await save(name)
  for (const q of [...searches, ...searchesOfMany]) await save('Vy', q)
  const shown = [...naming, ...searches.map((q) => `Vy · ${q}`)].map((text) => `view: ${text}`)
  expect(await listTexts()).toEqual(shown.toSorted())
  await desk.protect(anna, elsas, ['anna'])
  const left = (await listViews(parts, anna)).views.map(({ name, query: { q } }) => q ?? name)
  expect(left.toSorted()).toEqual([...others, ...searchesOfMany].toSorted())
})

test('notes on other leads and purposes of exports that name the person are shown, beside whose they are', async () => {
  await addNote(parts, anna, { kind, id: 'o1', text: 'Syster till Elsa  ÅBERG' })
  await addNote(parts, anna, { kind, id: 'd1', text: 'Elsa Dahl ringde' })
  const reason = { purpose: 'Brev till Elsa Dahl', matching: null, newOnly: false }
  const entry = { list, format: 'csv', scope: 'x', reason } as const
  await parts.exportLog.begin(requirePermission(anna, 'leads:export'), { ...entry, columns: ['id'], leadIds: ['o1'] })
  expect(await listTexts()).toEqual(['note: Syster till Elsa  ÅBERG', 'purpose: Brev till Elsa Dahl'])
  const leads = [{ id: 'd1' }]
  expect(await listMentions()).toContainEqual(
    expect.objectContaining({ kind: 'note', contactId: desk.getContactId(ottos) }),
  )
  for (const mention of await listMentions()) expect(mention).toMatchObject({ leads })
  expect(await listMentions(bo), 'who does not see the school of the note').toMatchObject([{ kind: 'purpose' }])
})

test('own templates that name the person are shown, in the extract by address, and go with an erasure or a protection', async () => {
  const saveAll = async () => {
    const own = { language: 'sv', subject: 'Hej', isOwn: true } as const
    for (const body of ['Elsa Dahl fick plats', 'Ring 070 174 06 05', 'Elsa fick plats'])
      await addTemplate(parts, anna, { ...own, name: 'Svar', body })
  }
  const bodiesLeft = async () => (await readOwnTemplates(desk.db, parts.seal)).map(({ body }) => body)
  const byAddress = 'Svar · Hej · Ring 070 174 06 05'
  await saveAll()
  expect(await listTexts()).toEqual(['template: Svar · Hej · Elsa Dahl fick plats', `template: ${byAddress}`])
  const note = { kind, id: 'o1', text: 'Syster till emd@example.se' } as const
  for (let count = 0; count < 200; count++) await addNote(parts, anna, note)
  const extract = await makeExtract(parts, anna, { id, leads: [{ kind, id: 'd1' }] })
  expect(extract.mentions).toMatchObject([{ kind: 'template', text: byAddress }])
  await eraseData(parts, anna, { id, leads: [{ kind, id: 'd1' }] })
  expect(await bodiesLeft()).toEqual(['Elsa fick plats'])
  await saveAll()
  await desk.protect(anna, elsas, ['anna'])
  expect(await bodiesLeft()).toEqual(['Elsa fick plats', 'Elsa fick plats'])
})
