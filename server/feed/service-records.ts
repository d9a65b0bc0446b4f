import type { AskedQuestion, DeclarationOfInterest, HighSchool, Lead, LeadKind } from '@/lib/contract/lead'
import { standardizeMoment } from './service-moment'

export type LeadOfKind = { 'asked-question': AskedQuestion; 'declaration-of-interest': DeclarationOfInterest }

export type LeadReader<L extends Lead> = (json: unknown) => Reading<L>

/** Reads an element of `askedQuestions`. What is missing is null or deduced; further fields are ignored. */
export const readAskedQuestion = catchMismatch((record): AskedQuestion => {
  const id = readId(record.id)
  const highSchoolId = readNonEmptyText(record.highSchoolId, 'highSchoolId')
  const highSchoolName = readOptionalText(record.highSchoolName, 'highSchoolName') ?? highSchoolId
  const createdAt = readMoment(record.createdAt, 'createdAt')
  const question = readText(record.question, 'question')
  const sender = readObject(record.sender, 'sender')
  const phone = readOptionalText(sender.phone, 'sender.phone')
  const email = readOptionalText(sender.email, 'sender.email')
  const phoneMode = phone === null ? 'unknown' : 'phone'
  const mode = readOptionalText(sender.mode, 'sender.mode') ?? (email === null ? phoneMode : 'email')
  return { id, highSchoolId, highSchoolName, createdAt, question, sender: { mode, phone, email } }
})

/** Reads an element of `declarationsOfInterest`. What is missing is null; further fields are ignored. */
export const readDeclaration = catchMismatch((record): DeclarationOfInterest => {
  const id = readId(record.id)
  const highSchoolId = readNonEmptyText(record.highSchoolId, 'highSchoolId')
  const createdAt = readMoment(record.createdAt, 'createdAt')
  const user = readObject(record.user, 'user')
  const year = user.highSchoolEnrollmentYear ?? null
  if (year !== null && (typeof year !== 'number' || !Number.isSafeInteger(year)))
    throw new MismatchError('user.highSchoolEnrollmentYear', 'integer')
  return {
    id,
    highSchoolId,
    createdAt,
    user: {
      firstName: readOptionalText(user.firstName, 'user.firstName'),
      lastName: readOptionalText(user.lastName, 'user.lastName'),
      email: readOptionalText(user.email, 'user.email'),
      phone: readOptionalText(user.phone, 'user.phone'),
      highSchoolEnrollmentYear: year,
    },
  }
})

export const LEAD_READERS: { [K in LeadKind]: LeadReader<LeadOfKind[K]> } = {
  'asked-question': readAskedQuestion,
  'declaration-of-interest': readDeclaration,
}

/** Reads the body of `highSchools`, with each school once, in the order sent; what is no school is set aside. */
export function readHighSchools(json: unknown) {
  if (!isPlainObject(json)) return { ok: false as const, detail: 'body: expected object' }
  if (!Array.isArray(json.highSchools)) return { ok: false as const, detail: 'highSchools: expected array' }
  const schools = new Map<string, HighSchool>()
  const unreadable: UnreadableRecord[] = []
  json.highSchools.forEach((record: unknown, index) => {
    const reading = readHighSchool(record)
    if (!reading.ok) return unreadable.push({ index, id: tryReadId(record), reason: reading.reason })
    const { value: school } = reading
    const firstSchool = schools.get(school.id)
    if (firstSchool === undefined) schools.set(school.id, school)
    else if (firstSchool.name !== school.name) unreadable.push({ index, id: school.id, reason: REPEATED_ID })
  })
  return { ok: true as const, highSchools: [...schools.values()], unreadable }
}

export const readHighSchool = catchMismatch((record): HighSchool => {
  const id = readId(record.id)
  return { id, name: readOptionalText(record.name, 'name') ?? id }
})

/** What was read, or the reason why it cannot be: the path and what was expected, never the content. */
export type Reading<T> = { ok: true; value: T } | { ok: false; reason: string }

export type UnreadableRecord = { index: number; id: string | null; reason: string }

export const REPEATED_ID = 'id: duplicate'

type Fields = Readonly<Record<string, unknown>>

function catchMismatch<T>(read: (record: Fields) => T): (json: unknown) => Reading<T> {
  return (json) => {
    try {
      return { ok: true, value: read(readObject(json, 'record')) }
    } catch (error) {
      if (error instanceof MismatchError) return { ok: false, reason: error.message }
      throw error
    }
  }
}

class MismatchError extends Error {
  constructor(path: string, expected: string) {
    super(`${path}: expected ${expected}`)
  }
}

function readObject(value: unknown, path: string): Fields {
  if (!isPlainObject(value)) throw new MismatchError(path, 'object')
  return value
}

const MAX_ID_LENGTH = 500
/** About fifty printed pages, so that no single text makes a page of a list huge. */
const MAX_TEXT_LENGTH = 100_000

function readId(value: unknown): string {
  const id = readText(value, 'id')
  if (id === '' || id.length > MAX_ID_LENGTH) throw new MismatchError('id', `1 to ${MAX_ID_LENGTH} characters`)
  return id
}

function readNonEmptyText(value: unknown, path: string): string {
  const text = readText(value, path)
  if (text === '') throw new MismatchError(path, 'non-empty string')
  return text
}

function readText(value: unknown, path: string): string {
  if (typeof value !== 'string') throw new MismatchError(path, 'string')
  if (value.length > MAX_TEXT_LENGTH) throw new MismatchError(path, `at most ${MAX_TEXT_LENGTH} characters`)
  return value
}

function readMoment(value: unknown, path: string): string {
  const moment = standardizeMoment(readText(value, path))
  if (moment === null) throw new MismatchError(path, 'ISO 8601 moment')
  return moment
}

function readOptionalText(value: unknown, path: string): string | null {
  return value === undefined || value === null ? null : readText(value, path)
}

function isPlainObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function tryReadId(json: unknown): string | null {
  const id = isPlainObject(json) ? json.id : null
  return typeof id === 'string' && id !== '' && id.length <= MAX_ID_LENGTH ? id : null
}
