import { expect, it } from 'vitest'
import type { LeadItem } from '@/lib/api/leads'
import type { Contact } from '@/lib/contract/contact'
import { greetingName } from './greeting-name'

const work = { attempts: { count: 0, last: null }, snoozeUntil: null, waitingSince: null, due: null, late: false }
const desk = {
  ...work,
  triage: { status: 'new' as const, assignee: null, updatedAt: null },
  person: null,
  contactId: 'c',
}
const question = (email: string | null): LeadItem => ({
  ...desk,
  id: 'q',
  highSchoolId: 's',
  highSchoolName: 'Norra',
  createdAt: '2026-11-19T00:56:00Z',
  question: 'Får man?',
  sender: { mode: 'email', email, phone: null },
})
const declaration = (firstName: string | null, email: string) => ({
  ...desk,
  id: `d-${firstName}`,
  highSchoolId: 's',
  createdAt: '2026-11-19T00:56:00Z',
  user: { firstName, lastName: 'Öberg', email, phone: null, highSchoolEnrollmentYear: 2027 },
})
const contactWith = (...leads: ReturnType<typeof declaration>[]): Contact => ({
  id: 'c',
  leads: leads.map((lead) => ({ kind: 'declaration-of-interest', lead, reason: { by: 'anchor', sameName: null } })),
  total: leads.length,
  snapshot: { version: 1, fetchedAt: '', nextAt: null } as unknown as Contact['snapshot'],
})

it('a declaration greets by its own first name', () => {
  expect(greetingName(declaration(' Åsa ', 'a@b.se'), undefined)).toBe('Åsa')
  expect(greetingName(declaration(null, 'a@b.se'), undefined)).toBeNull()
})

it('a question greets by the name that was declared from the same address', () => {
  const contact = contactWith(declaration('Åsa', 'A@b.se'), declaration('ÅSA', 'a@b.se'), declaration('Bo', 'x@y.se'))
  expect(greetingName(question('a@B.se'), contact)?.toLowerCase()).toBe('åsa')
})

it('nobody is greeted by name where it may be another’s, or nobody’s', () => {
  expect(
    greetingName(question('a@b.se'), contactWith(declaration('Åsa', 'a@b.se'), declaration('Bo', 'a@b.se'))),
  ).toBeNull()
  expect(greetingName(question(null), contactWith(declaration('Åsa', 'a@b.se')))).toBeNull()
  expect(greetingName(question('a@b.se'), undefined)).toBeNull()
})
