import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { AskedQuestion, DeclarationOfInterest } from '@/lib/contract/lead'
import { LEAD_LISTS, LISTS, type QueueName, QUEUES } from '@/lib/contract/lists'
import { declaration, question } from '@/lib/leads/testing/leads'
import { type Allowed, allow, type Viewer } from '@/server/access/viewer'
import { listActivity } from '@/server/privacy/list-activity'
import { getContact } from '@/server/leads/get-contact'
import { protectedPersons } from '@/server/base/access-schema'
import { activity, exports as exportsTable, notes, triage } from '@/server/base/schema'
import { addNote, listNotes } from '@/server/leads/notes'
import { updatePresence } from '@/server/leads/presence'
import { listViews } from '@/server/leads/saved-views'
import { exportLeads } from '@/server/export/export-leads'
import { previewExport } from '@/server/export/export-selection'
import { getInterest, interestPage } from '@/server/interest/interest'
import { testServices } from '@/server/testing/services'
import { listCounts } from '@/server/leads/list-counts'
import { answerList, listLeads } from '@/server/leads/list-leads'
import { listQueue } from '@/server/leads/list-queue'
import { setTriage } from '@/server/leads/change-triage'
import { undoTriage } from '@/server/leads/undo-triage'
import { contactRights, eraseData, makeExtract } from './contact-rights'
import { listProtections, protectPerson } from './protect'
import { openRightsDesk } from './testing/rights-desk'

const desk = await openRightsDesk()
const anna = allow(await desk.person('anna', 'admin', 'all'), 'admin')
const otherAdmin = allow(await desk.person('other', 'admin', 'all'), 'admin')
const sara = await desk.person('sara', 'staff', ['norra'])
const boss = await desk.person('boss', 'manager', 'all')
afterAll(() => desk.close())

/** Letters that no other text in an answer has. */
const secret = fc.stringMatching(/^[a-zåäö]{6,10}$/).map((text) => `Qx${text}Zw`)
const phones = fc.stringMatching(/^0709[1-9]\d{5}$/)
const names = { firstName: secret, lastName: secret, email: secret }
const person = fc.record({ ...names, phone: phones, text: secret, note: secret })
type Person = ReturnType<typeof person.generate>['value']

const mine = (one: Person) => ({ ...one, email: `${one.email.toLowerCase()}@example.se` })

/** The protected person's leads, by e-mail and phone, by phone alone and by e-mail alone; and another person's. */
function leadsOf(one: Person): { declarations: DeclarationOfInterest[]; questions: AskedQuestion[] } {
  const { firstName, lastName, email, phone, text } = mine(one)
  return {
    declarations: [
      declaration('d1', { firstName, lastName, email, phone, highSchoolEnrollmentYear: 31415926 }),
      declaration('d2', { firstName, lastName, phone: `+46${phone.slice(1)}`, highSchoolEnrollmentYear: 31415926 }),
      declaration('other', { firstName: 'Maja', email: 'maja@example.se' }),
    ],
    questions: [question('q1', { email: email.toUpperCase(), text }), question('q2', { email: 'erik@example.se' })],
  }
}

/** What may be in no answer: each text in small letters, and the number without its country. */
function secretsOf(one: Person): string[] {
  const texts = [one.firstName, one.lastName, one.email, one.text, one.note].map((text) => text.toLowerCase())
  return [...texts, one.phone.slice(1), '31415926']
}

type Answered = { verb: string; text: string }

/** Everything that is answered to a viewer, by verb; a refusal is its message. */
async function everyAnswer(viewer: Viewer, one: Person, contactIds: readonly string[]): Promise<Answered[]> {
  const found: Answered[] = []
  const add = async (verb: string, ask: () => Promise<unknown>) => {
    const answer = await ask().catch((error: unknown) => String(error))
    const text = answer instanceof Response ? await answer.text() : JSON.stringify(answer ?? null)
    found.push({ verb, text: text.toLowerCase() })
  }
  const { parts } = desk
  const reader = allow(viewer, 'leads:triage')
  const exporter = allow(viewer, 'leads:export')
  for (const name of Object.keys(QUEUES) as QueueName[])
    await add(`queue ${name}`, () => listQueue(parts, reader, name, { offset: 0, limit: 50 }))
  for (const list of LEAD_LISTS) {
    const { kind } = LISTS[list]
    for (const sort of [undefined, 'name', 'year', 'createdAt', 'school'] as const) {
      const query = { offset: 0, limit: 50, ...(sort && { sort }) }
      await add(`list by ${sort}`, () => listLeads(parts, reader, list, query))
      await add(`page by ${sort}`, () => answerList(list)(parts, reader, { ...query, known: 'none' }))
    }
    await add('counts', () => listCounts(parts, reader, { matching: { list } }))
    for (const format of ['xlsx', 'csv', 'vcf', 'emails'] as const) {
      const what = { list, matching: { list } }
      await add(`preview ${format}`, () => previewExport(parts, exporter, { ...what, format }))
      await add(`export ${format}`, () => fileOf(exporter, { ...what, format }))
    }
    for (const id of ['d1', 'd2', 'q1']) {
      await add('notes', () => listNotes(parts, reader, { kind, id }))
      await add('note', () => addNote(parts, reader, { kind, id, text: 'x' }))
      await add('presence', () => updatePresence(parts, reader, { tab: crypto.randomUUID(), lead: { kind, id } }))
    }
    const taken = { matching: { list }, assignee: 'me' } as const
    await add('triage', () => setTriage(parts, reader, taken))
    await add('undo', async () => {
      const { undo } = await setTriage(parts, reader, { matching: { list }, assignee: 'none' })
      return undoTriage(parts, reader, { undo: undo ?? '' })
    })
  }
  await add('views', () => listViews(parts, reader))
  const services = testServices(parts)
  await add('interest', () => getInterest(services, reader, {}).then(({ weeks, handled }) => ({ weeks, handled })))
  await add('interest page', () => interestPage(services, reader, {}).then(({ board, topics }) => ({ board, topics })))
  for (const id of contactIds) await add('contact', () => getContact(parts, reader, { id }))
  if (viewer.role === 'admin') await addAdminAnswers(allow(viewer, 'admin'), contactIds, add)
  return found
}

type Add = (verb: string, ask: () => Promise<unknown>) => Promise<void>

async function addAdminAnswers(admin: Allowed<'admin'>, contactIds: readonly string[], add: Add) {
  const { parts } = desk
  await add('activity', () => listActivity(parts, admin, { limit: 200 }))
  await add('protections', () => listProtections(parts, admin))
  const leads = [{ kind: 'declaration-of-interest' as const, id: 'd1' }]
  for (const id of contactIds) {
    await add('rights', () => contactRights(parts, admin, { id }))
    await add('extract', () => makeExtract(parts, admin, { id, leads }))
    await add('erasure', () => eraseData(parts, admin, { id, leads }))
  }
}

type Format = 'xlsx' | 'csv' | 'vcf' | 'emails'
type Wanted = { list: (typeof LEAD_LISTS)[number]; format: Format }

/** What a file holds; a spreadsheet is packed, so of it only how many leads it has. */
async function fileOf(exporter: Allowed<'leads:export'>, { list, format }: Wanted): Promise<unknown> {
  const options = { delimiter: ';', encoding: 'utf-8', purpose: 'test', newOnly: false } as const
  const wanted = { list, matching: { list }, format, ...options }
  const made = await exportLeads(desk.parts, exporter, wanted, 'sv')
  const text = await made.text()
  return { count: made.headers.get('x-export-count'), text: format === 'xlsx' ? '' : text }
}

test('no verb discloses anything of a protected person to users who are not allowed, whatever the person is called', async () => {
  const { parts } = desk
  await fc.assert(
    fc.asyncProperty(person, async (one) => {
      for (const table of [protectedPersons, notes, triage, exportsTable, activity]) await desk.db.delete(table)
      const { declarations, questions } = leadsOf(one)
      desk.setDeclarations(declarations)
      desk.setQuestions(questions)
      const contactIds = [
        ...declarations.map((lead) => parts.contactIds.encrypt('declaration-of-interest', lead)),
        ...questions.map((lead) => parts.contactIds.encrypt('asked-question', lead)),
      ]
      const [contact = ''] = contactIds
      await addNote(parts, anna, { kind: 'declaration-of-interest', id: 'd1', text: one.note })
      const { email, phone } = mine(one)
      const given = { contact, emails: [email], phones: [phone] }
      await protectPerson(parts, anna, { ...given, people: ['anna'], reason: one.text })
      const secrets = secretsOf(one)
      const findings = (answers: Answered[]) =>
        answers.flatMap(({ verb, text }) => secrets.filter((its) => text.includes(its)).map((its) => `${verb}: ${its}`))
      for (const viewer of [sara, otherAdmin]) {
        const answers = await everyAnswer(viewer, one, contactIds)
        expect(findings(answers), viewer.id).toEqual([])
        // The others are there: nothing was hidden by failing.
        expect(answers.filter(({ text }) => text.includes('maja')).length).toBeGreaterThan(8)
      }
      const annas = findings(await everyAnswer(anna, one, contactIds)).join()
      for (const its of secrets) expect(annas, 'an allowed user gets it').toContain(its)
    }),
    { numRuns: 4, endOnFailure: true },
  )
}, 120_000)

/** A lead as far as persons are counted by it; the e-mail or phone is one of few, so that many share one. */
const counted = fc.record({
  email: fc.option(fc.integer({ min: 0, max: 3 })),
  phone: fc.option(fc.integer({ min: 0, max: 3 })),
  school: fc.constantFrom('norra', 'sodra'),
  day: fc.integer({ min: 10, max: 19 }),
  year: fc.constantFrom(2026, 2027),
  isQuestion: fc.boolean(),
})
type Counted = ReturnType<typeof counted.generate>['value']

const HIDDEN = 'hidden@example.se'
const phoneOf = (number: number | null) => (number === null ? null : `070200000${number}`)

/** The leads of all, and then those of the hidden person, each with the phone it has in this world. */
type PhoneOf = (one: Counted) => string | null

function setWorld(visible: readonly Counted[], hidden: readonly Counted[], hiddenPhone: PhoneOf) {
  const all = [
    ...visible.map((one) => {
      const email = one.email === null ? null : `p${one.email}@example.se`
      return { ...one, email, phone: phoneOf(one.phone) }
    }),
    ...hidden.map((one) => ({ ...one, email: HIDDEN, phone: hiddenPhone(one) })),
  ].map((one, at) => ({ ...one, id: `n${at}`, createdAt: `2026-11-${one.day}T08:00:00.000Z` }))
  desk.setQuestions(all.flatMap(({ isQuestion, id, ...one }) => (isQuestion ? [question(id, one)] : [])))
  desk.setDeclarations(
    all.flatMap(({ isQuestion, id, year, ...one }) =>
      isQuestion ? [] : [declaration(id, { ...one, highSchoolEnrollmentYear: year })],
    ),
  )
}

const strange = ({ phone }: Counted) => (phone === null ? null : `070999999${phone}`)

const choices = [{}, { school: ['norra'] }]

/** Every number and row that is made of who is the same person as who. */
async function personsCounted(viewer: Viewer): Promise<string[]> {
  const { parts } = desk
  const answers: unknown[] = []
  const counter = allow(viewer, 'interest:read')
  for (const query of choices.map((choice) => ({ ...choice, cohort: 2027 })))
    for (const verb of [getInterest, interestPage]) answers.push(await verb(testServices(parts), counter, query))
  if (viewer.role === 'manager') return answers.map((answer) => JSON.stringify(answer))
  const reader = allow(viewer, 'leads:export')
  for (const list of LEAD_LISTS) {
    const page = await listLeads(parts, allow(viewer, 'leads:read'), list, { offset: 0, limit: 50 })
    answers.push({ ...page, etag: null }, await listCounts(parts, allow(viewer, 'leads:read'), { matching: { list } }))
    for (const format of ['xlsx', 'emails'] as const)
      answers.push(await previewExport(parts, reader, { list, matching: { list }, format }))
    const items = 'askedQuestions' in page ? page.askedQuestions : page.declarationsOfInterest
    for (const { contactId } of items)
      answers.push(await getContact(parts, allow(viewer, 'leads:read'), { id: contactId }).catch(String))
  }
  return answers.map((answer) => JSON.stringify(answer))
}

test('a hidden person counts as a stranger, even with a shared phone', async () => {
  const { parts } = desk
  const both = await desk.person('both', 'staff', ['norra', 'sodra'])
  let different = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(counted, { minLength: 8, maxLength: 12 }),
      fc.array(counted, { minLength: 3, maxLength: 5 }),
      async (visible, hidden) => {
        await desk.db.delete(protectedPersons)
        setWorld(visible, hidden, strange)
        const contact = parts.contactIds.encrypt('declaration-of-interest', declaration('x', { email: HIDDEN }))
        await protectPerson(parts, anna, { contact, emails: [HIDDEN], phones: [], people: ['anna'], reason: 'x' })
        const answers = async (viewer: Viewer) => {
          setWorld(visible, hidden, ({ phone }) => phoneOf(phone))
          const shared = await personsCounted(viewer)
          setWorld(visible, hidden, strange)
          return [shared, await personsCounted(viewer)]
        }
        for (const viewer of [both, otherAdmin, boss]) {
          const [shared = [], alone = []] = await answers(viewer)
          const other = shared.findIndex((answer, at) => answer !== alone[at])
          expect([shared[other], shared.length], viewer.id).toEqual([alone[other], alone.length])
        }
        const [shared, alone] = await answers(anna)
        if (shared?.join() !== alone?.join()) different += 1
      },
    ),
    { numRuns: 3, endOnFailure: true },
  )
  expect(different, 'an allowed user sees whom they share it with').toBeGreaterThan(0)
}, 120_000)
