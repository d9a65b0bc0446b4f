import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AskedQuestion, DeclarationOfInterest, Lead } from '@/lib/contract/lead'
import { leadTableOf } from '@/lib/leads/testing/lead-table-of'
import { declaration, question } from '@/lib/leads/testing/leads'
import type { TriageById } from '@/lib/leads/triage-entry'
import { toTraces } from './contact-leads'
import { createPersonFinder } from './person-finder'

const tablesOf = (
  questions: AskedQuestion[],
  declarations: DeclarationOfInterest[],
  triage: TriageById = new Map(),
) => [
  { table: leadTableOf('asked-question', questions), triage },
  { table: leadTableOf('declaration-of-interest', declarations), triage },
]
const personOf = (id: string, ...leads: Parameters<typeof tablesOf>) => {
  const lists = tablesOf(...leads)
  const list = lists.find(({ table }) => table.findRow(id) !== -1)
  return list && createPersonFinder(lists, 'all')(list.table, list.table.findRow(id))
}

const stella = { firstName: 'Stella', lastName: 'Persson', email: 'stella@example.se' }

test('a question has the name of the declaration with its e-mail, and a lead says what the person and the staff did', () => {
  const asked = question('q1', { email: ' STELLA@example.se' })
  const tried = { attemptedAt: 1, userId: null, channel: 'phone', outcome: 'no-answer' } as const
  const attempts = [1, 2].map((id) => ({ id, ...tried }))
  const triage = new Map([['d1', { status: 'handled', assigneeId: null, updatedAt: 1, attempts } as const]])
  expect(personOf('q1', [asked], [declaration('d1', { ...stella, school: 'sodra' })], triage)).toEqual({
    name: 'Stella Persson',
    firstName: 'Stella',
    declared: [{ highSchoolId: 'sodra', year: 2027 }],
    asked: [],
    questions: 0,
    attempts: 2,
    open: 0,
    leads: 1,
  })
  const questions = ['q1', 'q2'].map((id) => question(id, { ...stella, school: 'sodra' }))
  const ofDeclaration = { name: null, asked: ['sodra'], questions: 2, open: 2, leads: 2 }
  expect(personOf('d1', questions, [declaration('d1', stella)])).toMatchObject(ofDeclaration)
})

test('a question is greeted by the first name that was declared from its e-mail, not by one of its phone', () => {
  const asked = question('q1', { email: 'familj@example.se', phone: '070-123 45 67' })
  const declared = (id: string, firstName: string | null, ways: object) => declaration(id, { firstName, ...ways })
  const [byEmail, byPhone] = [{ email: 'Familj@example.se' }, { phone: '0701234567' }]
  const greeted = (...declarations: DeclarationOfInterest[]) => personOf('q1', [asked], declarations)?.firstName
  expect(greeted(declared('d1', ' Åsa', byEmail), declared('d2', 'ÅSA', byEmail))?.toLowerCase()).toBe('åsa')
  expect(greeted(declared('d1', 'Åsa', byEmail), declared('d2', 'Bo', byPhone))).toBe('Åsa')
  expect(greeted(declared('d1', 'Åsa', byEmail), declared('d2', 'Bo', byEmail))).toBeUndefined()
  expect(greeted(declared('d1', 'Åsa', byPhone), declared('d2', null, byEmail))).toBeUndefined()
})

test('a phone that hundreds share says nothing of a person', () => {
  const many = Array.from({ length: 201 }, (_, at) => declaration(`n${at}`, { phone: '-' }))
  expect(personOf('n7', [], many)).toBeNull()
})

const phone = '0701234567'
const elsa = { firstName: 'Elsa', lastName: 'Berg', email: 'elsa@example.se', phone }
const elias = { firstName: 'Elias', lastName: 'Berg', email: 'elias@example.se', phone: '070-123 45 67' }

test('a declaration of another name is not the person’s own; nor is a question by a phone that both have', () => {
  const questions = [question('q1', { phone }), question('q2', { email: elsa.email, school: 'sodra' })]
  const again = declaration('d3', { ...elsa, lastName: 'BERG', highSchoolEnrollmentYear: 2026 })
  const all = [declaration('d1', elsa), declaration('d2', elias), again]
  const other = (name: string, isSibling: boolean) => ({ name, by: 'phone', isSibling })
  const own = { declared: [{ highSchoolId: 'norra', year: 2026 }], asked: ['sodra'], leads: 2 }
  const ofElsa = { leads: 4, shared: { ...own, others: [other('Elias', true)] } }
  expect(personOf('d1', questions, all)).toMatchObject(ofElsa)
  const none = { declared: [], asked: [], leads: 0 }
  expect(personOf('d2', questions, all)?.shared).toEqual({ ...none, others: [other('Elsa', true)] })
  const either = expect.arrayContaining([other('Elsa', false), other('Elias', false)])
  expect(personOf('q1', questions, all)?.shared, 'who of them asked is not known').toEqual({ ...none, others: either })
  expect(personOf('q2', questions, all), 'only one has the e-mail').not.toHaveProperty('shared')
})

test.each<[string, object, { name: string; isSibling: boolean }]>([
  ['another last name', { firstName: 'Elias', lastName: 'Ek' }, { name: 'Elias', isSibling: false }],
  ['the same first name', { firstName: 'Elsa', lastName: 'Ek' }, { name: 'Elsa Ek', isSibling: false }],
  ['a longer first name', { firstName: 'Elsa-Maja' }, { name: 'Elsa-Maja', isSibling: false }],
  ['no first name', { firstName: null }, { name: 'Berg', isSibling: false }],
  ['the same last name in another spelling', { firstName: 'Åke', lastName: 'BERG ' }, { name: 'Åke', isSibling: true }],
])('only what can be known is said of %s', (_, fields, other) => {
  const found = personOf('d1', [], [declaration('d1', elsa), declaration('d2', { ...elias, ...fields })])
  expect(found?.shared?.others).toEqual([{ by: 'phone', ...other }])
})

test('a declaration without a name is not taken for that of a name with the same phone', () => {
  const all = [declaration('d1', { phone }), declaration('d2', elsa), declaration('d3', { phone, school: 'sodra' })]
  const others = [{ name: 'Elsa', by: 'phone', isSibling: false }]
  expect(personOf('d1', [], all)?.shared).toEqual({ declared: [], asked: [], leads: 0, others })
})

const few = fc.record({
  email: fc.constantFrom(null, 'a@x.se', 'A@x.se', 'b@x.se'),
  phone: fc.constantFrom(null, '0701234567', '+46 70 123 45 67', '08-1'),
  school: fc.constantFrom('norra', 'sodra'),
  firstName: fc.constantFrom(null, 'Åsa', ' ÅSA', 'Bo'),
})

test('a person is as one who compares each lead in scope with every other finds it, named where all have one name', () => {
  fc.assert(
    fc.property(fc.array(few, { maxLength: 8 }), fc.array(few, { maxLength: 8 }), (asked, declared) => {
      const questions = asked.map((one, at) => question(`q${at}`, one))
      const declarations = declared.map((one, at) => declaration(`d${at}`, one))
      const lists = tablesOf(questions, declarations)
      const findPerson = createPersonFinder(lists, new Set(['norra']))
      const inReach = [...questions, ...declarations].filter(({ highSchoolId }) => highSchoolId === 'norra')
      for (const lead of inReach) {
        const others = inReach.filter((other) => other.id !== lead.id && isShared(lead, other))
        const names = new Set(others.map((other) => toTraces(other).name).filter((name) => name !== null))
        const table = lists['question' in lead ? 0 : 1]?.table
        const person = table ? findPerson(table, table.findRow(lead.id)) : null
        expect(person?.leads).toBe(others.length || undefined)
        expect((person?.name ?? null) !== null).toBe('question' in lead && names.size === 1)
      }
    }),
  )
})

function isShared(one: Lead, other: Lead): boolean {
  const [mine, its] = [toTraces(one), toTraces(other)]
  return (mine.email !== null && mine.email === its.email) || (mine.phone !== null && mine.phone === its.phone)
}
