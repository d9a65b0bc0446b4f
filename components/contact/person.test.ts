import { unworked } from '@/lib/leads/testing/leads'
import { describe, expect, test } from 'vitest'
import type { ContactLead, ContactReason } from '@/lib/contract/contact'
import type { DeclarationOfInterestItem } from '@/lib/contract/lead'
import { connectionBetween, connectionsOf, personOf } from './person'

describe('the person', () => {
  const desk = {
    highSchoolId: 'norra',
    createdAt: '2026-11-20T07:12:00.000Z',
    ...unworked,
    contactId: 'c',
    triage: { status: 'new', assignee: null, updatedAt: null },
  } as const

  type Given = { name?: string | null; email?: string | null; phone?: string | null }

  function declared(by: ContactReason['by'], { name = null, email = null, phone = null }: Given): ContactLead {
    const user = { firstName: name, lastName: '', email, phone, highSchoolEnrollmentYear: 2027 }
    return { kind: 'declaration-of-interest', lead: { ...desk, id: `${name}`, user }, reason: { by, sameName: null } }
  }

  test('names, addresses and numbers stand as given, each once, those surely meant first', () => {
    const person = personOf([
      declared('same-phone', { name: 'Elias Öberg', email: 'elias@x.se', phone: '0701234567' }),
      declared('anchor', { name: 'Åsa Öberg', email: 'asa@x.se', phone: '+46 70 123 45 67' }),
      declared('anchor', { name: 'asa oberg', email: 'ASA@x.se' }),
      declared('anchor', { name: ' ', email: 'asa@x.se' }),
    ])
    expect(person).toEqual({
      names: ['Åsa Öberg', 'Elias Öberg'],
      emails: [
        { text: 'asa@x.se', names: ['Åsa Öberg'] },
        { text: 'elias@x.se', names: ['Elias Öberg'] },
      ],
      phones: [{ text: '+46 70 123 45 67', names: ['Åsa Öberg', 'Elias Öberg'] }],
    })
  })

  test('an address that came with questions only is under no name', () => {
    const asked: ContactLead = {
      kind: 'asked-question',
      lead: {
        ...desk,
        id: 'q',
        highSchoolName: '',
        question: '?',
        sender: { mode: 'email', phone: null, email: 'm@x.se' },
      },
      reason: { by: 'through-others', sameName: null },
    }
    const { emails } = personOf([declared('anchor', { name: 'Åsa', email: 'asa@x.se' }), asked])
    expect(emails).toEqual([
      { text: 'asa@x.se', names: ['Åsa'] },
      { text: 'm@x.se', names: [] },
    ])
  })

  test('a person may have left nothing at all', () => {
    expect(personOf([declared('anchor', {})])).toEqual({ names: [], emails: [], phones: [] })
  })

  test('those that the contact is named by share what it is named by', () => {
    const byEmail = [declared('anchor', { email: 'a@x.se' }), declared('anchor', { email: 'A@x.se' })]
    expect(connectionsOf(byEmail).map((connection) => connection?.by)).toEqual(['same-email', 'same-email'])
    const byPhone = [
      declared('anchor', { phone: '0701234567' }),
      declared('anchor', { email: 'b@x.se', phone: '+46701234567' }),
    ]
    expect(connectionsOf(byPhone).map((connection) => connection?.by)).toEqual(['same-phone', 'same-phone'])
  })

  test('a single lead needs no reason, those beside it have theirs', () => {
    const connections = connectionsOf([
      declared('anchor', { email: 'a@x.se' }),
      declared('through-others', { email: 'b@x.se' }),
    ])
    expect(connections.map((connection) => connection?.by ?? null)).toEqual([null, 'through-others'])
  })
})

describe('what joins two leads', () => {
  const declared = (name: string | null, email: string | null, phone: string | null): DeclarationOfInterestItem => ({
    id: 'd',
    highSchoolId: 'norra',
    createdAt: '2026-11-20T07:12:00.000Z',
    ...unworked,
    contactId: 'c',
    triage: { status: 'new', assignee: null, updatedAt: null },
    user: { firstName: name, lastName: null, email, phone, highSchoolEnrollmentYear: 2027 },
  })
  const asa = declared('Åsa Öberg', 'asa@x.se', '070-123 45 67')

  test.each([
    ['same-email', declared('Åsa Öberg', 'ASA@x.se ', '+46701111111')],
    ['same-phone', declared('Åsa Öberg', 'other@x.se', '+46 70 123 45 67')],
    ['same-email-and-phone', declared('Åsa Öberg', 'asa@x.se', '0046701234567')],
    ['through-others', declared('Åsa Öberg', 'other@x.se', '+46701111111')],
  ] as const)('two leads may be joined by %s', (by, other) => {
    expect(connectionBetween(asa, other)).toEqual({ by, sameName: true })
  })

  test('nothing in common is missing on both sides', () => {
    expect(connectionBetween(declared(null, null, null), declared(null, '', ' ')).by).toBe('through-others')
  })

  test('another name is told from another spelling, and from none', () => {
    const named = (name: string | null) => connectionBetween(asa, declared(name, 'asa@x.se', null)).sameName
    expect(named('asa  oberg')).toBe(true)
    expect(named('Elias Öberg')).toBe(false)
    expect(named(null)).toBeNull()
  })
})
