import { expect, test } from 'vitest'
import type { DeclarationOfInterestItem } from '@/lib/contract/lead'
import { bondBetween } from './bond-between'

const declared = (name: string | null, email: string | null, phone: string | null): DeclarationOfInterestItem => ({
  id: 'd',
  highSchoolId: 'norra',
  createdAt: '2026-11-20T07:12:00.000Z',
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
  expect(bondBetween(asa, other)).toEqual({ by, sameName: true })
})

test('nothing in common is missing on both sides', () => {
  expect(bondBetween(declared(null, null, null), declared(null, '', ' ')).by).toBe('through-others')
})

test('another name is told from another spelling, and from none', () => {
  const named = (name: string | null) => bondBetween(asa, declared(name, 'asa@x.se', null)).sameName
  expect(named('asa  oberg')).toBe(true)
  expect(named('Elias Öberg')).toBe(false)
  expect(named(null)).toBeNull()
})
