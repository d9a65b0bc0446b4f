import type { AskedQuestion, DeclarationOfInterest, LeadWork } from '@/lib/contract/lead'

/** What stands beside a lead that nobody has tried to answer, that nobody waits for, and whose person did nothing else. */
export const unworked: LeadWork & { person: null } = {
  person: null,
  attempts: { count: 0, last: null },
  snoozeUntil: null,
  waitingSince: null,
  due: null,
  late: false,
}

type Fields = { school?: string; createdAt?: string }

/** A declaration for tests: of Norra, of this morning, for 2027, by nobody, as far as the fields say nothing else. */
export function declaration(
  id: string,
  fields: Partial<DeclarationOfInterest['user']> & Fields = {},
): DeclarationOfInterest {
  const { school = 'norra', createdAt = '2026-11-20T07:00:00.000Z', ...user } = fields
  const nobody = { firstName: null, lastName: null, email: null, phone: null, highSchoolEnrollmentYear: 2027 }
  return { id, highSchoolId: school, createdAt, user: { ...nobody, ...user } }
}

/** A question likewise; who leaves a phone wants to be called. */
export function question(
  id: string,
  fields: Partial<AskedQuestion['sender']> & Fields & { text?: string } = {},
): AskedQuestion {
  const { email = null, phone = null, school = 'norra', createdAt = '2026-11-20T07:00:00.000Z' } = fields
  const { mode = phone === null ? 'email' : 'phone', text = 'Hej?' } = fields
  return {
    id,
    highSchoolId: school,
    highSchoolName: school,
    createdAt,
    question: text,
    sender: { mode, phone, email },
  }
}
