import { expect, test } from 'vitest'
import type { ContactLead, ContactReason } from '@/lib/contract/contact'
import { bondsOf, personOf } from './person-of'

const desk = {
  highSchoolId: 'norra',
  createdAt: '2026-11-20T07:12:00.000Z',
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
    emails: ['asa@x.se', 'elias@x.se'],
    phones: ['+46 70 123 45 67'],
  })
})

test('a person may have left nothing at all', () => {
  expect(personOf([declared('anchor', {})])).toEqual({ names: [], emails: [], phones: [] })
})

test('those that the contact is named by share what it is named by', () => {
  const byEmail = [declared('anchor', { email: 'a@x.se' }), declared('anchor', { email: 'A@x.se' })]
  expect(bondsOf(byEmail).map((bond) => bond?.by)).toEqual(['same-email', 'same-email'])
  const byPhone = [
    declared('anchor', { phone: '0701234567' }),
    declared('anchor', { email: 'b@x.se', phone: '+46701234567' }),
  ]
  expect(bondsOf(byPhone).map((bond) => bond?.by)).toEqual(['same-phone', 'same-phone'])
})

test('a single lead needs no reason, those beside it have theirs', () => {
  const bonds = bondsOf([declared('anchor', { email: 'a@x.se' }), declared('through-others', { email: 'b@x.se' })])
  expect(bonds.map((bond) => bond?.by ?? null)).toEqual([null, 'through-others'])
})
