import 'server-only'
import type { AskedQuestion, DeclarationOfInterest, Lead, LeadKind } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import {
  readId,
  type Reading,
  readMoment,
  readNonEmptyText,
  readObject,
  readOptionalInteger,
  readOptionalText,
  readText,
  recordReader,
} from './record-checks'

export type LeadOfKind = { 'asked-question': AskedQuestion; 'declaration-of-interest': DeclarationOfInterest }

/** How one list of leads is written: the field of the body that holds the records, and how to read one. */
export type LeadFormat<L extends Lead> = { field: string; read: (json: unknown) => Reading<L> }

/** One element of `askedQuestions`. What the service may leave out is null or deduced; further fields are ignored. */
export const readAskedQuestion = recordReader((record): AskedQuestion => {
  const id = readId(record.id)
  const highSchoolId = readNonEmptyText(record.highSchoolId, 'highSchoolId')
  const highSchoolName = readOptionalText(record.highSchoolName, 'highSchoolName') ?? highSchoolId
  const createdAt = readMoment(record.createdAt, 'createdAt')
  const question = readText(record.question, 'question')
  const { mode, phone, email } = readObject(record.sender, 'sender')
  return { id, highSchoolId, highSchoolName, createdAt, question, sender: readSender(mode, phone, email) }
})

function readSender(mode: unknown, rawPhone: unknown, rawEmail: unknown): AskedQuestion['sender'] {
  const phone = readOptionalText(rawPhone, 'sender.phone')
  const email = readOptionalText(rawEmail, 'sender.email')
  return { mode: readOptionalText(mode, 'sender.mode') ?? deducedMode(phone, email), phone, email }
}

function deducedMode(phone: string | null, email: string | null): string {
  if (email !== null) return 'email'
  return phone === null ? 'unknown' : 'phone'
}

/** One element of `declarationsOfInterest`. What the service may leave out is null; further fields are ignored. */
export const readDeclaration = recordReader((record): DeclarationOfInterest => {
  const id = readId(record.id)
  const highSchoolId = readNonEmptyText(record.highSchoolId, 'highSchoolId')
  const createdAt = readMoment(record.createdAt, 'createdAt')
  const user = readObject(record.user, 'user')
  return {
    id,
    highSchoolId,
    createdAt,
    user: {
      firstName: readOptionalText(user.firstName, 'user.firstName'),
      lastName: readOptionalText(user.lastName, 'user.lastName'),
      email: readOptionalText(user.email, 'user.email'),
      phone: readOptionalText(user.phone, 'user.phone'),
      highSchoolEnrollmentYear: readOptionalInteger(user.highSchoolEnrollmentYear, 'user.highSchoolEnrollmentYear'),
    },
  }
})

/** How a list of leads of this kind is written. */
export function leadFormat<K extends LeadKind>(kind: K): LeadFormat<LeadOfKind[K]> {
  return FORMATS[kind]
}

const FORMATS: { [K in LeadKind]: LeadFormat<LeadOfKind[K]> } = {
  'asked-question': { field: LISTS_BY_KIND['asked-question'].field, read: readAskedQuestion },
  'declaration-of-interest': { field: LISTS_BY_KIND['declaration-of-interest'].field, read: readDeclaration },
}
