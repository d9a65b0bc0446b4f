import { describe, expect, test } from 'vitest'
import type { ContactLead, ContactReason } from '@/lib/contract/lead'
import { declarationItem, questionItem } from '@/lib/leads/testing/leads'
import { compareLeads, selectPersonLeads, mayBeMinor, summarizePerson } from './person'

type Fields = Parameters<typeof declarationItem>[1]
const lead = (id: string, fields: Fields, by: ContactReason['by'] = 'anchor') =>
  ({ kind: 'declaration-of-interest', lead: declarationItem(id, fields), reason: { by, sameName: null } }) as const
const question = (id: string, fields: Parameters<typeof questionItem>[1], by: ContactReason['by'] = 'anchor') =>
  ({ kind: 'asked-question', lead: questionItem(id, fields), reason: { by, sameName: null } }) as const

test('names, addresses and numbers stand as given, each once, those surely meant first', () => {
  const person = summarizePerson([
    lead('d1', { firstName: 'Elias Öberg', email: 'elias@x.se', phone: '0701234567' }, 'same-phone'),
    lead('d2', { firstName: 'Åsa Öberg', email: 'asa@x.se', phone: '+46 70 123 45 67' }),
    lead('d3', { firstName: 'asa oberg', lastName: '', email: 'ASA@x.se' }),
    lead('d4', { firstName: ' ', email: 'asa@x.se' }),
    question('q', { email: 'm@x.se' }),
  ])
  expect(person).toMatchObject({
    names: ['Åsa Öberg', 'Elias Öberg'],
    emails: [
      { text: 'asa@x.se', names: ['Åsa Öberg'] },
      { text: 'm@x.se', names: [] },
      { text: 'elias@x.se', names: ['Elias Öberg'] },
    ],
    phones: [{ text: '+46 70 123 45 67', names: ['Åsa Öberg', 'Elias Öberg'] }],
  })
})

test.each([
  ['same-email', true, { firstName: 'asa  oberg', email: 'ASA@x.se ', phone: '+46701111111' }],
  ['same-phone', false, { firstName: 'Elias Öberg', email: 'other@x.se', phone: '+46 70 123 45 67' }],
  ['same-email-and-phone', null, { firstName: null, email: 'asa@x.se', phone: '0046701234567' }],
  ['through-others', true, { firstName: 'Åsa Öberg', email: '', phone: ' ' }],
])('two leads may be joined by %s, and have the same name: %s', (reason, hasSameName, fields) => {
  const asa = declarationItem('d1', { firstName: 'Åsa Öberg', email: 'asa@x.se', phone: '070-123 45 67' })
  const other = declarationItem('d2', fields)
  expect(compareLeads(asa, other)).toEqual({ reason, hasSameName })
  // Nothing that is missing on both sides is in common.
  expect(compareLeads(other, declarationItem('d3', {})).reason).toBe('through-others')
})

describe('the leads that one decision may cover', () => {
  const parent = 'parent@x.se'
  const covered = (leads: ContactLead[], from: string[], total = leads.length) => {
    const anchors = leads.flatMap((one) => (from.includes(one.lead.id) ? [one.lead] : []))
    return selectPersonLeads({ leads, total }, anchors).map((one) => one.lead.id)
  }

  test('are none of two children’s who share a parent’s address, nor the parent’s question', () => {
    const children = ['Elsa Ek', 'Nils Ek'].map((firstName) => lead(firstName, { firstName, email: parent }))
    const leads = [...children, question('q', { email: parent })]
    expect(covered(leads, ['Elsa Ek', 'Nils Ek', 'q']), 'the page of the address').toEqual([])
    expect(covered(leads, ['q']), 'beside the question').toEqual([])
    expect(covered(leads, ['Elsa Ek']), 'beside a child’s').toEqual(['Elsa Ek'])
  })

  test('are all of one name, however it is written, and the questions from addresses that no other name has', () => {
    const own = { firstName: 'Elsa O’Ek', email: 'elsa@x.se', phone: '0701740605' }
    const leads = [
      lead('one', own),
      lead('two', { ...own, firstName: 'ELSA  O´EK', phone: null }),
      question('q1', { email: ' Elsa@x.se' }),
      question('of-both', { phone: '070-174 06 05' }, 'same-phone'),
      lead('sister', { firstName: 'Maja', phone: '+46701740605' }, 'same-phone'),
      lead('friend', { firstName: 'Elsa O’Ek', email: 'm@x.se' }, 'through-others'),
    ]
    expect(covered(leads, ['one', 'two', 'q1'])).toEqual(['one', 'two', 'q1'])
    expect(covered(leads, ['of-both']), 'whose the phone is is not known').toEqual([])
    expect(covered(leads, ['one', 'two', 'q1'], 501), 'not all names are known').toEqual([])
    const unnamed = [question('q1', { email: parent }), question('q2', { email: parent, phone: '0701740605' })]
    expect(covered(unnamed, ['q1']), 'no name came with the address').toEqual(['q1', 'q2'])
  })
})

describe('whether a person may be under 16', () => {
  const applicant = (email: string | null, highSchoolEnrollmentYear: number | null) =>
    declarationItem('d', { email, highSchoolEnrollmentYear })
  const asker = (email: string | null) => questionItem('q', { email })

  test.each([
    ['by its own year', applicant('a@x.se', 2027), [], true],
    ['of a question by a declaration from the same e-mail', asker('A@x.se '), [applicant('a@x.se', 2027)], true],
    ['of a question by no other lead', asker('a@x.se'), [applicant('sibling@x.se', 2027)], false],
    ['of a question without e-mail by none', asker(null), [applicant(null, 2027)], false],
    [
      'by the youngest of several years',
      applicant('a@x.se', 2024),
      [applicant('a@x.se', 2025), applicant('a@x.se', 2026)],
      true,
    ],
  ])('a lead tells %s', (_, own, others, isMinor) => {
    expect(mayBeMinor(own, others, 2026)).toBe(isMinor)
  })
})
