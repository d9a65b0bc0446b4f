import { unworked } from '@/lib/leads/testing/leads'
import { expect, test } from 'vitest'
import type { AskedQuestionItem, DeclarationOfInterestItem } from '@/lib/contract/lead'
import { minorOf } from './minor'

const desk = {
  highSchoolId: 'norra',
  createdAt: '2026-11-20T07:12:00.000Z',
  ...unworked,
  contactId: 'c',
  triage: { status: 'new', assignee: null, updatedAt: null },
} as const
const declared = (email: string | null, highSchoolEnrollmentYear: number | null): DeclarationOfInterestItem => ({
  ...desk,
  id: `${email} ${highSchoolEnrollmentYear}`,
  user: { firstName: 'Åsa', lastName: 'Öberg', email, phone: '+46701234567', highSchoolEnrollmentYear },
})
const asked = (email: string | null): AskedQuestionItem => ({
  ...desk,
  id: 'q',
  highSchoolName: 'Norra',
  question: 'Hej?',
  sender: { mode: 'email', phone: null, email },
})

test('a declaration tells by its own year', () => {
  expect(minorOf(declared('a@x.se', 2027), [], 2026)).toBe('under-16')
  expect(minorOf(declared('a@x.se', 2026), [], 2026)).toBe('may-be-under-16')
  expect(minorOf(declared('a@x.se', 2025), [], 2026)).toBeNull()
  expect(minorOf(declared('a@x.se', null), [], 2026)).toBeNull()
})

test('a question tells by the declarations from the same e-mail, and by no other lead of the contact', () => {
  expect(minorOf(asked('A@x.se '), [declared('a@x.se', 2027)], 2026)).toBe('under-16')
  expect(minorOf(asked('a@x.se'), [declared('sibling@x.se', 2027)], 2026)).toBeNull()
  expect(minorOf(asked(null), [declared(null, 2027)], 2026)).toBeNull()
})

test('of several years the youngest counts', () => {
  expect(minorOf(declared('a@x.se', 2025), [declared('a@x.se', 2026), declared('a@x.se', 2028)], 2026)).toBe('under-16')
  expect(minorOf(declared('a@x.se', 2024), [declared('a@x.se', 2026)], 2026)).toBe('may-be-under-16')
})
