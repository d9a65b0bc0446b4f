import 'server-only'
import { FIRST_MOMENT, LAST_MOMENT } from '@/lib/time/stockholm'

/** One record of the service, or why it cannot be read: path and expectation, never its content. */
export type Reading<T> = { ok: true; value: T } | { ok: false; reason: string }

export type UnreadableRecord = { index: number; id: string | null; reason: string }

export const REPEATED_ID = 'id: duplicate'

type Fields = Readonly<Record<string, unknown>>

export function recordReader<T>(read: (record: Fields) => T): (json: unknown) => Reading<T> {
  return (json) => {
    try {
      return { ok: true, value: read(readObject(json, 'record')) }
    } catch (error) {
      if (error instanceof Mismatch) return { ok: false, reason: error.message }
      throw error
    }
  }
}

class Mismatch extends Error {
  constructor(path: string, expected: string) {
    super(`${path}: expected ${expected}`)
  }
}

export function readObject(value: unknown, path: string): Fields {
  if (!isFields(value)) throw new Mismatch(path, 'object')
  return value
}

const LONGEST_ID = 500
/** Fifty pages; longer texts would make the page of a list as large as they like. */
const LONGEST_TEXT = 100_000

export function readId(value: unknown): string {
  const id = readText(value, 'id')
  if (id === '' || id.length > LONGEST_ID) throw new Mismatch('id', `1 to ${LONGEST_ID} characters`)
  return id
}

export function readNonEmptyText(value: unknown, path: string): string {
  const text = readText(value, path)
  if (text === '') throw new Mismatch(path, 'non-empty string')
  return text
}

export function readText(value: unknown, path: string): string {
  if (typeof value !== 'string') throw new Mismatch(path, 'string')
  if (value.length > LONGEST_TEXT) throw new Mismatch(path, `at most ${LONGEST_TEXT} characters`)
  return value
}

export function readOptionalText(value: unknown, path: string): string | null {
  return value === undefined || value === null ? null : readText(value, path)
}

export function readOptionalInteger(value: unknown, path: string): number | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw new Mismatch(path, 'integer')
  return value
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function idOfUnreadable(json: unknown): string | null {
  const id = isFields(json) ? json.id : null
  return typeof id === 'string' && id !== '' && id.length <= LONGEST_ID ? id : null
}

/** ECMA-262, Date Time String Format. */
const STANDARD = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?(?:Z|[+-]\d\d:\d\d)$/
const TOLERATED = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?(Z|([+-]\d\d)(?::?(\d\d))?)?$/

/** Standard ISO 8601 stays as it came; the rest becomes UTC with milliseconds, a leap second the one before it. */
export function readMoment(value: unknown, path: string): string {
  const text = readText(value, path)
  if (STANDARD.test(text) && isMoment(text)) return text
  const standard = standardised(text)
  if (standard === null || !isMoment(standard)) throw new Mismatch(path, 'ISO 8601 moment')
  return new Date(standard).toISOString()
}

function standardised(text: string): string | null {
  const parts = TOLERATED.exec(text)
  if (parts === null) return null
  const [, minute = '', second = '00', fraction = '', , offsetHour, offsetMinute = '00'] = parts
  const offset = offsetHour === undefined ? 'Z' : `${offsetHour}:${offsetMinute}`
  if (second !== '60') return `${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`
  const before = `${minute}:59.999${offset}`
  // RFC 3339, 5.7: inserted at the end of a UTC day.
  return (Date.parse(before) + 1) % DAY_MS === 0 ? before : null
}

const DAY_MS = 86_400_000

/** `Date.parse` reads 30 February as a day in March, and an offset may lead out of the calendar. */
function isMoment(standard: string): boolean {
  const ms = Date.parse(standard)
  if (!(ms >= FIRST_MOMENT && ms <= LAST_MOMENT)) return false
  const day = Number(standard.slice(8, 10))
  return day <= 28 || day <= daysOfMonth(Number(standard.slice(0, 4)), Number(standard.slice(5, 7)))
}

function daysOfMonth(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}
