import 'server-only'
import { Mismatch, readText } from './reading'

/** As the specification has it, and as every browser reads it (ECMA-262, Date Time String Format). */
const STANDARD = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?(?:Z|[+-]\d\d:\d\d)$/
const TOLERATED = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?(Z|([+-]\d\d)(?::?(\d\d))?)?$/

/**
 * A moment as ISO 8601. Kept as it came when it is standard; with other fractions, a short offset or none (the
 * specification says UTC) it is written anew, in UTC with milliseconds.
 */
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
  return `${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`
}

/** `Date.parse` takes the 30th of February for a day in March. */
function isMoment(standard: string): boolean {
  if (Number.isNaN(Date.parse(standard))) return false
  const day = Number(standard.slice(8, 10))
  return day <= 28 || day <= daysOfMonth(Number(standard.slice(0, 4)), Number(standard.slice(5, 7)))
}

function daysOfMonth(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}
