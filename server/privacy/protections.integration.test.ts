import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { AskedQuestionItem, DeclarationOfInterestItem } from '@/lib/contract/lead'
import { declaration, question } from '@/lib/leads/testing/leads'
import { type Allowed, allow } from '@/server/access/viewer'
import { getContact } from '@/server/leads/get-contact'
import { protectedPersons } from '@/server/base/access-schema'
import { activity } from '@/server/base/schema'
import { addNote, listNotes } from '@/server/leads/notes'
import { createAnnouncer } from '@/server/base/announcer'
import { ConflictError, ForbiddenError, InvalidInputError, NotFoundError } from '@/server/base/errors'
import { exportLeads } from '@/server/export/export-leads'
import { previewExport } from '@/server/export/export-selection'
import { listCounts } from '@/server/leads/list-counts'
import { listLeads } from '@/server/leads/list-leads'
import { createSeal } from '@/server/base/seal'
import { testServices } from '@/server/testing/services'
import { setTriage } from '@/server/leads/change-triage'
import { createMemoryEvents } from '@/server/base/testing/memory-events'
import { changeProtection, liftProtection, listProtections, protectPerson } from './protect'
import { createProtections } from '@/server/leads/protection-list'
import { openRightsDesk } from './testing/rights-desk'

const list = 'declarations-of-interest'
const elsa = { firstName: 'Elsa', lastName: 'Berg', email: 'elsa@example.se', phone: '070-174 06 05' }
const declarations = [
  declaration('d1', elsa),
  declaration('d2', { ...elsa, email: null, school: 'sodra' }),
  declaration('d3', { firstName: 'Maja', email: 'maja@example.se' }),
  declaration('d4', { firstName: 'Nils' }),
]

const desk = await openRightsDesk()
const parts = desk.parts
const anna = allow(await desk.person('anna', 'admin', 'all'), 'admin')
const bo = allow(await desk.person('bo', 'admin', 'all'), 'admin')
const sara = allow(await desk.person('sara', 'staff', ['norra']), 'leads:triage')
const nils = allow(await desk.person('nils', 'staff', ['norra', 'sodra']), 'leads:triage')
const boss = await desk.person('boss', 'manager', 'all')
beforeEach(async () => {
  await desk.db.delete(protectedPersons)
  await desk.db.delete(activity)
  desk.setDeclarations(declarations)
  desk.setQuestions([question('q1', { email: 'ELSA@example.se', text: 'När börjar ni?' })])
})
afterAll(() => desk.close())

const contactOf = (id: string) => {
  const lead = declarations.find((one) => one.id === id)
  return lead ? parts.contactIds.encrypt('declaration-of-interest', lead) : ''
}
const protect = (people: string[], by: Parameters<typeof protectPerson>[0] = parts) => {
  const given = { contact: contactOf('d1'), emails: ['Elsa@Example.se '], phones: ['+46701740605'] }
  return protectPerson(by, anna, { ...given, people, reason: 'Skatteverkets beslut' })
}
type Item = AskedQuestionItem | DeclarationOfInterestItem
const shown = async (viewer: Allowed<'leads:read'>, query = {}, its: typeof list | 'asked-questions' = list) => {
  const page = await listLeads(parts, viewer, its, { offset: 0, limit: 50, ...query })
  const items: Item[] = 'askedQuestions' in page ? page.askedQuestions : page.declarationsOfInterest
  return { items, total: page.total, of: (id: string) => items.find((item) => item.id === id) }
}

describe('who is not named', () => {
  test('has the lead in the list, without the identity, and whom of the same school to ask', async () => {
    await protect(['sara', 'anna'])
    const { items, total, of } = await shown(nils)
    expect([total, items.map(({ id }) => id).toSorted()]).toEqual([4, ['d1', 'd2', 'd3', 'd4']])
    const user = { firstName: null, lastName: null, email: null, phone: null, highSchoolEnrollmentYear: null }
    expect(of('d1')).toMatchObject({ user, protected: { isHidden: true, people: ['anna', 'sara'] } })
    expect(of('d2'), 'Sara does not see that school').toMatchObject({ protected: { isHidden: true, people: ['anna'] } })
    expect(of('d3')).not.toHaveProperty('protected')
    const questions = await shown(nils, {}, 'asked-questions')
    expect(questions.of('q1')).toMatchObject({ question: '', sender: { email: null }, protected: { isHidden: true } })
    expect([of('d1'), of('d2'), questions.of('q1')].map((item) => item?.person)).toEqual([null, null, null])
    const named = await shown(anna, {}, 'asked-questions')
    expect(named.of('q1')?.person).toMatchObject({ name: 'Elsa Berg', leads: 1 })
  })

  test('finds the person by nothing: no search, year, contact page or note', async () => {
    await addNote(parts, sara, { kind: 'declaration-of-interest', id: 'd1', text: 'Ringde' })
    await protect(['sara'])
    for (const q of ['elsa', 'berg', 'elsa@example.se', '0701740605', 'e']) {
      expect((await shown(nils, { q })).items.filter(({ protected: its }) => its)).toEqual([])
    }
    expect((await shown(nils, { year: [2027] })).total).toBe(2)
    expect((await listCounts(parts, nils, { matching: { list } })).year).toEqual({ 2027: 2 })
    await expect(getContact(parts, nils, { id: contactOf('d1') })).rejects.toThrow(NotFoundError)
    const hidden = (await shown(nils)).of('d1')
    const byRow = getContact(parts, nils, { id: hidden?.contactId ?? '' })
    await expect(byRow, 'nor by what names the row').rejects.toThrow(NotFoundError)
    const lead = { kind: 'declaration-of-interest', id: 'd1' } as const
    await expect(listNotes(parts, nils, lead)).rejects.toThrow(ForbiddenError)
    await expect(addNote(parts, nils, { ...lead, text: 'x' })).rejects.toThrow(ForbiddenError)
    expect((await listNotes(parts, sara, lead)).notes).toHaveLength(1)
  })

  test('can still decide about the lead, as about any other', async () => {
    await protect(['sara'])
    const change = { leads: [{ kind: 'declaration-of-interest' as const, id: 'd1' }], status: 'handled' as const }
    expect((await setTriage(parts, nils, change)).changed).toHaveLength(1)
    expect((await shown(nils)).of('d1')?.triage.status).toBe('handled')
  })

  test('an administrator is no exception, until they allow themselves, which the others can see', async () => {
    const { id } = await protect(['sara'])
    expect((await shown(anna)).of('d1')?.protected?.isHidden).toBe(true)
    await expect(liftProtection(parts, bo, { id })).rejects.toThrow(ForbiddenError)
    const [hidden] = (await listProtections(parts, bo)).protections
    expect(hidden).toMatchObject({ id, shown: null, leads: 3, schools: ['norra', 'sodra'], by: { id: 'anna' } })
    await changeProtection(parts, bo, { id, people: ['sara', 'bo'] })
    expect((await shown(bo)).of('d1')?.protected).toEqual({ isHidden: false, people: ['bo', 'sara'] })
    const [entry] = (await listProtections(parts, anna)).protections
    expect(entry?.people.map(({ name }) => name)).toContain('bo')
    expect((await listProtections(parts, bo)).protections[0]?.shown).toMatchObject({ reason: 'Skatteverkets beslut' })
    await liftProtection(parts, bo, { id })
    expect((await shown(nils)).of('d1')).not.toHaveProperty('protected')
  })
})

describe('who is named', () => {
  test('sees the person as before, with the mark, and the two do not get each other’s pages', async () => {
    await protect(['sara'])
    for (const viewer of [sara, nils, sara]) {
      const lead = (await shown(viewer)).of('d1')
      expect(lead?.protected?.isHidden).toBe(viewer === nils)
      expect(JSON.stringify(lead).includes('Elsa')).toBe(viewer === sara)
    }
    expect((await shown(sara, { q: 'elsa' })).total).toBe(1)
    expect(await getContact(parts, sara, { id: contactOf('d1') })).toMatchObject({ leads: [{}, {}] })
  })

  test('has them in no file either, and the number beforehand is the number in the file', async () => {
    await protect(['sara'])
    for (const viewer of [nils, sara]) {
      const exporter = allow(viewer, 'leads:export')
      const what = { list, matching: { list }, format: 'csv' } as const
      const preview = await previewExport(parts, exporter, what)
      const rest = { purpose: 'x', newOnly: false, delimiter: ';', encoding: 'utf-8' } as const
      const file = await exportLeads(parts, exporter, { ...what, ...rest, expectedCount: preview.count }, 'sv')
      const text = await file.text()
      const rows = text.trim().split('\r\n').length - 1
      expect([preview.count, rows, preview.withheld, text.includes('Elsa')]).toEqual([
        2,
        2,
        viewer === nils ? 2 : 1,
        false,
      ])
    }
  })
})

test('a phone that hundreds have given is nobody’s: it hides none of them', async () => {
  const many = Array.from({ length: 201 }, (_, at) => declaration(`m${at}`, { phone: '-' }))
  desk.setDeclarations(many)
  const contact = parts.contactIds.encrypt('declaration-of-interest', declaration('x', { phone: '-' }))
  const given = { contact, emails: [], phones: ['-'], people: ['sara'], reason: 'x' }
  await expect(protectPerson(parts, anna, given)).rejects.toThrow(ConflictError)
  desk.setDeclarations(many.slice(1))
  await protectPerson(parts, anna, given)
  expect((await shown(nils)).items.every(({ protected: its }) => its?.isHidden)).toBe(true)
})

test('who left neither e-mail nor phone is protected by the lead itself', async () => {
  const given = { contact: contactOf('d4'), emails: [], phones: [], people: ['sara'], reason: 'x' }
  await protectPerson(parts, anna, given)
  const { of } = await shown(nils)
  expect([of('d4')?.protected?.isHidden, of('d3')?.protected]).toEqual([true, undefined])
})

test('nobody is protected by another’s address, twice, or for nobody; the log has ids alone and the row is sealed', async () => {
  const given = { contact: contactOf('d1'), phones: [], people: ['sara'], reason: 'x' }
  await expect(protectPerson(parts, anna, { ...given, emails: ['maja@example.se'] })).rejects.toThrow(InvalidInputError)
  await expect(protectPerson(parts, anna, { ...given, emails: [] })).rejects.toThrow(InvalidInputError)
  const managers = { ...given, emails: [elsa.email], people: [boss.id] }
  await expect(protectPerson(parts, anna, managers)).rejects.toThrow(InvalidInputError)
  await protect(['anna'])
  await expect(protectPerson(parts, anna, { ...given, emails: [elsa.email] })).rejects.toThrow(ConflictError)
  desk.setDeclarations([...declarations, declaration('d5', { ...elsa, email: 'ny@example.se', phone: elsa.phone })])
  await protectPerson(parts, anna, { ...given, emails: ['ny@example.se'] })
  const stored = JSON.stringify([await desk.db.select().from(protectedPersons), await desk.db.select().from(activity)])
  for (const text of ['elsa', '701740605', 'Skatteverket'])
    expect(stored.toLowerCase()).not.toContain(text.toLowerCase())
  expect(stored).toContain('protection-added')
})

test('during a database outage what was read is valid, what was invalidated is not', async () => {
  await protect(['sara'])
  let isAway = false
  const connect = async () => {
    if (isAway) throw new Error('away')
    return desk.db
  }
  const protections = createProtections({ connect, seal: parts.seal, now: Date.now, onUnreachable: () => {} })
  expect((await protections.current()).all).toHaveLength(1)
  isAway = true
  protections.invalidate()
  expect((await protections.current()).all).toHaveLength(1)
  protections.reset()
  await expect(protections.current()).rejects.toThrow('away')
})

test('a row that was sealed under another key lets nobody read rather than everybody', async () => {
  await protect(['sara'])
  const seal = createSeal(new Uint8Array(32).fill(9))
  const other = createProtections({ connect: parts.connect, seal, now: Date.now, onUnreachable: () => {} })
  await expect(other.current()).rejects.toThrow('cannot be read')
})

test('another instance hides the person before the protection is answered', async () => {
  const messages = createMemoryEvents()
  const instance = () => {
    const { connect, seal } = parts
    const ttlMs = () => 60_000
    const protections = createProtections({ connect, seal, now: Date.now, onUnreachable: () => {}, ttlMs })
    const published: string[] = []
    const announcer = createAnnouncer({ events: messages.connect(), schedule: (_, run) => run() })
    announcer.publishes(({ name }) => published.push(name))
    announcer.invalidates({ onEvent: ({ name }) => name === 'protections' && protections.reset(), onGap: () => {} })
    return { parts: testServices({ ...parts, protections, announcer }), published }
  }
  const [one, other] = [instance(), instance()]
  const hidden = async ({ parts: its }: typeof one) => {
    const page = await listLeads(its, nils, list, { offset: 0, limit: 50 })
    return JSON.stringify(page).includes('Elsa') ? 'shown' : 'hidden'
  }
  expect([await hidden(one), await hidden(other)]).toEqual(['shown', 'shown'])
  await protect(['sara'], one.parts)
  expect(await hidden(one)).toBe('hidden')
  expect(await hidden(other)).toBe('hidden')
  expect([one.published, other.published], 'whose browsers refresh').toEqual([['protections'], ['protections']])
})
