import 'server-only'
import type { AskedQuestion, DeclarationOfInterest, HighSchool, Lead, LeadKind } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import {
  idOfUnreadable,
  isFields,
  readId,
  type Reading,
  readMoment,
  readNonEmptyText,
  readObject,
  readOptionalInteger,
  readOptionalText,
  readText,
  recordReader,
  REPEATED_ID,
  type UnreadableRecord,
} from './record-checks'

export type LeadOfKind = { 'asked-question': AskedQuestion; 'declaration-of-interest': DeclarationOfInterest }

export type LeadFormat<L extends Lead> = { field: string; read: (json: unknown) => Reading<L> }

/** An element of `askedQuestions`. What is missing is null or deduced; further fields are ignored. */
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

/** An element of `declarationsOfInterest`. What is missing is null; further fields are ignored. */
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

export function leadFormat<K extends LeadKind>(kind: K): LeadFormat<LeadOfKind[K]> {
  return FORMATS[kind]
}

const FORMATS: { [K in LeadKind]: LeadFormat<LeadOfKind[K]> } = {
  'asked-question': { field: LISTS_BY_KIND['asked-question'].field, read: readAskedQuestion },
  'declaration-of-interest': { field: LISTS_BY_KIND['declaration-of-interest'].field, read: readDeclaration },
}

export function readHighSchools(json: unknown): HighSchoolsReading {
  if (!isFields(json)) return { ok: false, detail: 'body: expected object' }
  if (!Array.isArray(json.highSchools)) return { ok: false, detail: 'highSchools: expected array' }
  const schools = new Map<string, HighSchool>()
  const unreadable: UnreadableRecord[] = []
  json.highSchools.forEach((record: unknown, index) => {
    const reading = readHighSchool(record)
    if (!reading.ok) return unreadable.push({ index, id: idOfUnreadable(record), reason: reading.reason })
    const { value: school } = reading
    const known = schools.get(school.id)
    if (known === undefined) schools.set(school.id, school)
    else if (known.name !== school.name) unreadable.push({ index, id: school.id, reason: REPEATED_ID })
  })
  return { ok: true, highSchools: [...schools.values()], unreadable }
}

export const readHighSchool = recordReader((record): HighSchool => {
  const id = readId(record.id)
  return { id, name: readOptionalText(record.name, 'name') ?? id }
})

type HighSchoolsReading =
  | { ok: true; highSchools: readonly HighSchool[]; unreadable: readonly UnreadableRecord[] }
  | { ok: false; detail: string }
