import { stockholmDayStart } from '@/lib/time/stockholm-day'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Beyond these no calendar of ours has a meaning; such a moment is counted by its UTC day. */
const EARLIEST = Date.UTC(1900, 0, 1)
const LATEST = Date.UTC(9000, 0, 1)

/** The number of a calendar day, `yyyy-MM-dd`; 1 January 1970 is 0. */
export function epochDay(text: string): number {
  return Date.parse(`${text}T00:00:00Z`) / DAY_MS
}

export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** The number of the day `month`-`day` in any year, also beyond what a Date can hold (H. Hinnant, days_from_civil). */
export function epochDayOf(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/**
 * Answers the Stockholm day of a moment in ms. Remembers how days began: asking the time zone for each of 100 000 leads would
 * take half a second.
 */
export function createStockholmEpochDay(): (ms: number) => number {
  const startOf = createDayStarts()
  let [day, from, until] = [0, 0, 0]
  return (ms) => {
    if (ms >= from && ms < until) return day
    if (ms < EARLIEST || ms >= LATEST) return Math.floor(ms / DAY_MS)
    const guess = Math.floor((ms + HOUR_MS) / DAY_MS)
    day = ms < startOf(guess) ? guess - 1 : ms >= startOf(guess + 1) ? guess + 1 : guess
    from = startOf(day)
    until = startOf(day + 1)
    return day
  }
}

/** Shorter than clocks have ever gone one way before they were turned back. */
const BLOCK_DAYS = 16

/** When days begin, in ms. Where a block of days begins and ends by the same clock, so does every day within. */
function createDayStarts(): (day: number) => number {
  const asked = new Map<number, number>()
  const ask = (day: number) => {
    const known = asked.get(day)
    if (known !== undefined) return known
    const start = stockholmDayStart(dayText(day))
    asked.set(day, start)
    return start
  }
  return (day) => {
    const first = Math.floor(day / BLOCK_DAYS) * BLOCK_DAYS
    const ahead = first * DAY_MS - ask(first)
    const isSteady = (first + BLOCK_DAYS) * DAY_MS - ask(first + BLOCK_DAYS) === ahead
    return isSteady ? day * DAY_MS - ahead : ask(day)
  }
}
