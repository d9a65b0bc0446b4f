import { FIRST_MOMENT, LAST_MOMENT } from '@/lib/time/stockholm'

/** The format that ECMA-262 prescribes (Date Time String Format). */
const STANDARD_FORMAT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?(?:Z|[+-]\d\d:\d\d)$/
const TOLERATED_FORMAT =
  /^(?<minute>\d{4}-\d\d-\d\dT\d\d:\d\d)(:(?<second>\d\d)(\.(?<fraction>\d+))?)?(Z|(?<offsetHour>[+-]\d\d):?(?<offsetMinute>\d\d))?$/

/** Returns a standard moment as it came, a tolerated one in UTC, or null. */
export function standardizeMoment(text: string): string | null {
  if (STANDARD_FORMAT.test(text) && isMoment(text)) return text
  const { minute, second = '00', fraction = '', offsetHour, offsetMinute } = TOLERATED_FORMAT.exec(text)?.groups ?? {}
  const offset = offsetHour === undefined ? 'Z' : `${offsetHour}:${offsetMinute}`
  const standard = `${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`
  return isMoment(standard) ? new Date(standard).toISOString() : null
}

/** Refuses 30 February, which `Date.parse` reads as a day in March, and years that an offset leads out of range. */
function isMoment(standard: string): boolean {
  const ms = Date.parse(standard)
  if (!(ms >= FIRST_MOMENT && ms <= LAST_MOMENT)) return false
  const day = Number(standard.slice(8, 10))
  return day <= 28 || new Date(`${standard.slice(0, 10)}T00:00Z`).getUTCDate() === day
}
