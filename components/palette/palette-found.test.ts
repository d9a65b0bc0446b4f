import { unworked } from '@/lib/leads/testing/leads'
import { expect, test } from 'vitest'
import type { LeadItem } from '@/lib/api/leads'
import { nameOf } from '@/lib/inbox/lead-text'
import { peopleAmong } from './palette-found'

const common = { highSchoolId: 's', highSchoolName: 'Norra', createdAt: '2026-11-01T10:00:00Z' }
const triage = { status: 'new', assignee: null, updatedAt: null } as const

const declaration = (id: string, contactId: string, firstName: string | null): LeadItem => ({
  ...common,
  id,
  ...unworked,
  contactId,
  triage,
  user: { firstName, lastName: null, email: null, phone: null, highSchoolEnrollmentYear: 2027 },
})
const question = (id: string, contactId: string, email: string): LeadItem => ({
  ...common,
  id,
  ...unworked,
  contactId,
  triage,
  question: 'När är öppet hus?',
  sender: { mode: 'email', phone: null, email },
})

test('each person once, by name where there is one, and nobody whom nothing names', () => {
  const people = peopleAmong([
    question('q1', 'anna', 'anna@example.com'),
    declaration('d1', 'anna', 'Anna'),
    declaration('d2', 'anna', 'Anna A'),
    declaration('d3', 'nobody', null),
    question('q2', 'bo', 'bo@example.com'),
  ])
  expect(people.map((item) => [item.contactId, nameOf(item)])).toEqual([
    ['anna', 'Anna'],
    ['bo', 'bo@example.com'],
  ])
})
