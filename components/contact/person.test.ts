import { describe, expect, test } from 'vitest'
import type { ContactLead, ContactReason } from '@/lib/contract/lead'
import { declarationItem, questionItem } from '@/lib/leads/testing/leads'
import { compareLeads, selectPersonLeads, mayBeMinor, summarizePerson } from './person'

type Fields = Parameters<typeof declarationItem>[1]
const lead = (id: string, fields: Fields, by: ContactReason['by'] = 'anchor') =>
  ({ kind: 'declaration-of-interest', lead: declarationItem(id, fields), reason: { by, sameName: null } }) as const
const question = (id: string, fields: Parameters<typeof questionItem>[1], by: ContactReason['by'] = 'anchor') =>
  ({ kind: 'asked-question', lead: questionItem(id, fields), reason: { by, sameName: null } }) as const

describe('the person', () => {
  test('names, addresses and numbers stand as given, each once, those surely meant first', () => {
    const person = summarizePerson([
      lead('d1', { firstName: 'Elias Öberg', email: 'elias@x.se', phone: '0701234567' }, 'same-phone'),
      lead('d2', { firstName: 'Åsa Öberg', email: 'asa@x.se', phone: '+46 70 123 45 67' }),
      lead('d3', { firstName: 'asa oberg', lastName: '', email: 'ASA@x.se' }),
      lead('d4', { firstName: ' ', email: 'asa@x.se' }),
    ])
    expect(person).toMatchObject({
      names: ['Åsa Öberg', 'Elias Öberg'],
      emails: [
        { text: 'asa@x.se', names: ['Åsa Öberg'] },
        { text: 'elias@x.se', names: ['Elias Öberg'] },
      ],
      phones: [{ text: '+46 70 123 45 67', names: ['Åsa Öberg', 'Elias Öberg'] }],
    })
  })

  test('an address that came with questions only is under no name', () => {
    const person = summarizePerson([question('q', { email: 'm@x.se' })])
    expect(person).toMatchObject({ names: [], emails: [{ text: 'm@x.se', names: [] }], phones: [] })
  })
})

describe('what joins two leads', () => {
  const of = (firstName: string | null, email: string | null, phone: string | null) =>
    declarationItem('d', { firstName, email, phone })
  const asa = of('Åsa Öberg', 'asa@x.se', '070-123 45 67')

  test.each([
    ['same-email', of('Åsa Öberg', 'ASA@x.se ', '+46701111111')],
    ['same-phone', of('Åsa Öberg', 'other@x.se', '+46 70 123 45 67')],
    ['same-email-and-phone', of('Åsa Öberg', 'asa@x.se', '0046701234567')],
    ['through-others', of('Åsa Öberg', 'other@x.se', '+46701111111')],
  ] as const)('two leads may be joined by %s', (reason, other) => {
    expect(compareLeads(asa, other)).toEqual({ reason, hasSameName: true })
  })

  test('what is missing on both sides is not in common', () => {
    expect(compareLeads(of(null, null, null), of(null, '', ' ')).reason).toBe('through-others')
  })

  test('they have the same name, another, or it is not known', () => {
    const names = ['asa  oberg', 'Elias Öberg', null]
    const same = names.map((name) => compareLeads(asa, of(name, 'asa@x.se', null)).hasSameName)
    expect(same).toEqual([true, false, null])
  })
})

describe('the leads that one decision may cover', () => {
  const parent = 'parent@x.se'
  const [elsa, nils] = ['Elsa Ek', 'Nils Ek'].map((firstName) => ({ firstName, email: parent }))
  const covered = (leads: ContactLead[], from: string[], total = leads.length) => {
    const start = leads.flatMap((one) => (from.includes(one.lead.id) ? [one.lead] : []))
    return selectPersonLeads({ leads, total }, start).map((one) => one.lead.id)
  }

  test('are none of two children’s who share a parent’s address, nor the parent’s question', () => {
    const leads = [lead('elsa', { ...elsa }), lead('nils', { ...nils }), question('q', { email: parent })]
    expect(covered(leads, ['elsa', 'nils', 'q']), 'the page of the address').toEqual([])
    expect(covered(leads, ['q']), 'beside the question').toEqual([])
    expect(covered(leads, ['elsa']), 'beside a child’s').toEqual(['elsa'])
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
  })

  test('are all questions from an address that came with no name', () => {
    const leads = [question('q1', { email: parent }), question('q2', { email: parent, phone: '0701740605' })]
    expect(covered(leads, ['q1'])).toEqual(['q1', 'q2'])
  })
})

describe('whether a person may be under 16', () => {
  const of = (email: string | null, highSchoolEnrollmentYear: number | null) =>
    declarationItem('d', { email, highSchoolEnrollmentYear })
  const asked = (email: string | null) => questionItem('q', { email })

  test.each([
    ['by its own year', of('a@x.se', 2027), [], true],
    ['of a question by a declaration from the same e-mail', asked('A@x.se '), [of('a@x.se', 2027)], true],
    ['of a question by no other lead', asked('a@x.se'), [of('sibling@x.se', 2027)], false],
    ['of a question without e-mail by none', asked(null), [of(null, 2027)], false],
    ['by the youngest of several years', of('a@x.se', 2024), [of('a@x.se', 2025), of('a@x.se', 2026)], true],
  ])('a lead tells %s', (_, own, others, isMinor) => {
    expect(mayBeMinor(own, others, 2026)).toBe(isMinor)
  })
})
