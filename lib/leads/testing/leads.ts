import type {
  AskedQuestion,
  AskedQuestionItem,
  DeclarationOfInterest,
  DeclarationOfInterestItem,
} from '@/lib/contract/lead'
import type { SelectionContext } from '@/lib/leads/select-rows'

export const unrestrictedContext: SelectionContext = {
  schools: 'all',
  viewerId: 'me',
  lastVisitAt: null,
  work: {
    key: '',
    cohort: null,
    workSince: -Infinity,
    openYear: -Infinity,
    openSince: -Infinity,
    lateBefore: -Infinity,
    returnDay: '9999-12-31',
    toDueDay: () => null,
  },
  triage: new Map(),
  topics: { getTopicBits: () => new Uint32Array(0) },
}

type Fields = { school?: string; createdAt?: string }

export function declaration(
  id: string,
  fields: Partial<DeclarationOfInterest['user']> & Fields = {},
): DeclarationOfInterest {
  const { school = 'norra', createdAt = '2026-11-20T07:00:00.000Z', ...user } = fields
  const nobody = { firstName: null, lastName: null, email: null, phone: null, highSchoolEnrollmentYear: 2027 }
  return { id, highSchoolId: school, createdAt, user: { ...nobody, ...user } }
}

export function question(
  id: string,
  fields: Partial<AskedQuestion['sender']> & Fields & { text?: string } = {},
): AskedQuestion {
  const { email = null, phone = null, school = 'norra', createdAt = '2026-11-20T07:00:00.000Z' } = fields
  const { mode = phone === null ? 'email' : 'phone', text = 'Hej?' } = fields
  return { id, highSchoolId: school, highSchoolName: school, createdAt, question: text, sender: { mode, phone, email } }
}

const triage = { status: 'new', assignee: null, updatedAt: null } as const
const work = { attempts: { count: 0, last: null }, snoozeUntil: null, waitingSince: null, due: null, late: false }
const untouched = { person: null, contactId: 'c', triage, ...work }

export function declarationItem(...args: Parameters<typeof declaration>): DeclarationOfInterestItem {
  const lead = declaration(...args)
  return { ...lead, seenAt: lead.createdAt, ...untouched }
}

export function questionItem(...args: Parameters<typeof question>): AskedQuestionItem {
  const lead = question(...args)
  return { ...lead, seenAt: lead.createdAt, ...untouched }
}
