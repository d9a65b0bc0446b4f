import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { LEAD_LISTS, LISTS, type QueueName, QUEUES } from '@/lib/contract/lists'
import { declaration, question } from '@/lib/leads/testing/leads'
import { may, requirePermission, type Viewer } from '@/server/access/viewer'
import { protectedPersons } from '@/server/base/access-schema'
import { activity, exports as exportsTable, notes, triage } from '@/server/base/schema'
import { exportLeads } from '@/server/export/export-leads'
import { previewExport } from '@/server/export/export-selection'
import { getInterest, getInterestPage } from '@/server/interest/interest'
import { setTriage } from '@/server/leads/change-triage'
import { getDay } from '@/server/leads/day'
import { getContact } from '@/server/leads/get-contact'
import { getListCounts } from '@/server/leads/list-counts'
import { createListResponder, listLeads } from '@/server/leads/list-leads'
import { listQueue } from '@/server/leads/list-queue'
import { addNote, listNotes } from '@/server/leads/notes'
import { updatePresence } from '@/server/leads/presence'
import { listViews } from '@/server/leads/saved-views'
import { listActivity } from '@/server/privacy/list-activity'
import { eraseData, getContactRights, makeExtract } from './contact-rights'
import { listProtections } from './protections'
import { openRightsDesk } from './testing/rights-desk'

const desk = await openRightsDesk()
const { parts } = desk
const anna = requirePermission(await desk.addPerson('anna', 'admin', 'all'), 'admin')
const otherAdmin = requirePermission(await desk.addPerson('other', 'admin', 'all'), 'admin')
const sara = await desk.addPerson('sara', 'staff', ['norra', 'sodra'])
afterAll(() => desk.close())

/** Letters that no other text in an answer has. */
const secret = fc.stringMatching(/^[a-zåäö]{6,10}$/).map((text) => `Qx${text}Zw`)
const email = secret.map((text) => `${text.toLowerCase()}@example.se`)
const phone = fc.stringMatching(/^0709[1-9]\d{5}$/)
const secretPerson = fc.record({ firstName: secret, lastName: secret, email, phone, text: secret, note: secret })
type Person = typeof secretPerson extends fc.Arbitrary<infer Value> ? Value : never
const SECRET_YEAR = 31415926

/** The protected person's leads, by e-mail and phone, by phone alone and by e-mail alone; and another person's. */
function createLeads({ firstName, lastName, email: address, phone: number, text }: Person) {
  const user = { firstName, lastName, highSchoolEnrollmentYear: SECRET_YEAR }
  return {
    declarations: [
      declaration('d1', { ...user, email: address, phone: number }),
      declaration('d2', { ...user, phone: `+46${number.slice(1)}` }),
      declaration('other', { firstName: 'Maja', email: 'maja@example.se' }),
    ],
    questions: [question('q1', { email: address.toUpperCase(), text }), question('q2', { email: 'erik@example.se' })],
  }
}

/** What may be in no answer, in small letters. */
function listSecrets({ phone: number, email: address, ...texts }: Person): string[] {
  const [local = ''] = address.split('@')
  return [...Object.values(texts), local, number.slice(1), String(SECRET_YEAR)].map((text) => text.toLowerCase())
}

/** Everything that is answered to a viewer, by verb, in small letters; a refusal is its message. */
async function collectAnswers(viewer: Viewer, contactIds: readonly string[]) {
  const found: { verb: string; text: string }[] = []
  const add = async (verb: string, ask: () => Promise<unknown>) => {
    const answer = await ask().catch((error: unknown) => String(error))
    const text = answer instanceof Response ? await answer.text() : JSON.stringify(answer ?? null)
    found.push({ verb, text: text.toLowerCase() })
  }
  const reader = requirePermission(viewer, 'leads:triage')
  const exporter = requirePermission(viewer, 'leads:export')
  const page = { offset: 0, limit: 50 }
  for (const name of Object.keys(QUEUES) as QueueName[])
    await add(`queue ${name}`, () => listQueue(parts, reader, name, page))
  for (const list of LEAD_LISTS) {
    const { kind } = LISTS[list]
    for (const sort of [undefined, 'name', 'year', 'createdAt', 'school'] as const) {
      const query = { ...page, ...(sort && { sort }) }
      await add(`list by ${sort}`, () => listLeads(parts, reader, list, query))
      await add(`page by ${sort}`, () => createListResponder(list)(parts, reader, { ...query, known: 'none' }))
    }
    const matching = { list }
    await add('counts', () => getListCounts(parts, reader, { matching }))
    // A spreadsheet is packed: nothing of it could be read here.
    for (const format of ['csv', 'vcf', 'emails'] as const) {
      const options = { delimiter: ';', encoding: 'utf-8', purpose: 'test', newOnly: false } as const
      await add(`preview ${format}`, () => previewExport(parts, exporter, { list, matching, format }))
      await add(`export ${format}`, () => exportLeads(parts, exporter, { list, matching, format, ...options }, 'sv'))
    }
    for (const id of ['d1', 'd2', 'q1']) {
      const lead = { kind, id }
      await add('notes', () => listNotes(parts, reader, lead))
      await add('note', () => addNote(parts, reader, { ...lead, text: 'x' }))
      await add('presence', () => updatePresence(parts, reader, { tab: crypto.randomUUID(), lead }))
    }
    await add('triage', () => setTriage(parts, reader, { matching, assignee: 'me' }))
  }
  await add('day', () => getDay(parts, reader, {}))
  await add('views', () => listViews(parts, reader))
  // Counts by year have the protected too: a count that changed with the protection would disclose the year.
  await add('interest', () => getInterest(parts, reader, {}).then(({ weeks, handled }) => ({ weeks, handled })))
  await add('interest page', () => getInterestPage(parts, reader, {}).then(({ board, topics }) => ({ board, topics })))
  for (const id of contactIds) await add('contact', () => getContact(parts, reader, { id }))
  if (may(viewer, 'admin')) {
    await add('activity', () => listActivity(parts, viewer, { limit: 200 }))
    await add('protections', () => listProtections(parts, viewer))
    const leads = [{ kind: 'declaration-of-interest' as const, id: 'd1' }]
    for (const id of contactIds) {
      await add('rights', () => getContactRights(parts, viewer, { id }))
      await add('extract', () => makeExtract(parts, viewer, { id, leads }))
      await add('erasure', () => eraseData(parts, viewer, { id, leads }))
    }
  }
  return found
}

test('no verb discloses anything of a protected person to users who are not allowed, whatever the person is called', async () => {
  await fc.assert(
    fc.asyncProperty(secretPerson, async (one) => {
      for (const table of [protectedPersons, notes, triage, exportsTable, activity]) await desk.db.delete(table)
      const { declarations, questions } = createLeads(one)
      const [lead = declaration('')] = declarations
      desk.setDeclarations(declarations)
      desk.setQuestions(questions)
      await addNote(parts, anna, { kind: 'declaration-of-interest', id: 'd1', text: one.note })
      await desk.protect(anna, lead, ['anna'], { phones: [one.phone], reason: one.text })
      const contactIds = [...declarations, ...questions].map(desk.getContactId)
      const findSecrets = (answers: Awaited<ReturnType<typeof collectAnswers>>) =>
        answers.flatMap(({ verb, text }) =>
          listSecrets(one).flatMap((secretText) => (text.includes(secretText) ? `${verb}: ${secretText}` : [])),
        )
      for (const viewer of [sara, otherAdmin]) {
        const answers = await collectAnswers(viewer, contactIds)
        expect(findSecrets(answers), viewer.id).toEqual([])
        // The others are there: nothing was hidden by failing.
        expect(answers.filter(({ text }) => text.includes('maja')).length).toBeGreaterThan(8)
      }
      const annas = findSecrets(await collectAnswers(anna, contactIds)).join()
      for (const secretText of listSecrets(one)) expect(annas, 'an allowed user gets it').toContain(secretText)
    }),
    { numRuns: 4, endOnFailure: true },
  )
}, 120_000)

/** A hidden person's three leads among those of others, with the phones of two of them or with nobody else's. */
function setLeads(hiddenPhones: 'shared' | 'own') {
  const [first, second] = hiddenPhones === 'shared' ? ['0702000001', '0702000002'] : ['0709999991', '0709999992']
  const hidden = { email: 'hidden@example.se' }
  desk.setDeclarations([
    declaration('v1', { email: 'p1@example.se', phone: '0702000001' }),
    declaration('v2', { email: 'p2@example.se', phone: '0702000002', school: 'sodra' }),
    declaration('h1', { ...hidden, phone: first }),
    declaration('h2', { ...hidden, school: 'sodra', createdAt: '2026-11-12T08:00:00.000Z' }),
  ])
  desk.setQuestions([
    question('v3', { email: 'p3@example.se', phone: '0702000001', school: 'sodra' }),
    question('h3', { ...hidden, phone: second }),
  ])
}

/** Every number and row that is made of who is the same person as who. */
async function countPersons(viewer: Viewer): Promise<string[]> {
  const reader = requirePermission(viewer, 'leads:read')
  const exporter = requirePermission(viewer, 'leads:export')
  const answers: unknown[] = []
  for (const query of [{ cohort: 2027 }, { cohort: 2027, school: ['norra'] }])
    answers.push(await getInterest(parts, reader, query), await getInterestPage(parts, reader, query))
  for (const list of LEAD_LISTS) {
    const matching = { list }
    const items = await desk.listItems(viewer, list)
    answers.push(items, await getListCounts(parts, reader, { matching }))
    for (const format of ['xlsx', 'emails'] as const)
      answers.push(await previewExport(parts, exporter, { list, matching, format }))
    for (const { contactId: id } of items) answers.push(await getContact(parts, reader, { id }).catch(String))
  }
  return answers.map((answer) => JSON.stringify(answer))
}

test('a hidden person counts as a stranger, even with a shared phone', async () => {
  await desk.db.delete(protectedPersons)
  setLeads('own')
  await desk.protect(anna, declaration('x', { email: 'hidden@example.se' }), ['anna'])
  const answers = async (viewer: Viewer, hiddenPhones: 'shared' | 'own') => {
    setLeads(hiddenPhones)
    return countPersons(viewer)
  }
  for (const viewer of [sara, otherAdmin])
    expect(await answers(viewer, 'shared'), viewer.id).toEqual(await answers(viewer, 'own'))
  expect(await answers(anna, 'shared'), 'a user who is shown them').not.toEqual(await answers(anna, 'own'))
})
