const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/**
 * The calendar of Europe/Stockholm. A day is `yyyy-MM-dd`, or its number since 1 January 1970; a moment is ms since
 * the epoch. The years are 0000 to 9999 (ISO 8601); what lies beyond becomes the first or the last day.
 */
export const FIRST_DAY = '0000-01-01'
export const LAST_DAY = '9999-12-31'
/** The first and the last moment of these years, in UTC. */
export const FIRST_MOMENT = Date.parse(`${FIRST_DAY}T00:00:00.000Z`)
export const LAST_MOMENT = Date.parse(`${LAST_DAY}T23:59:59.999Z`)

export function stockholmDay(ms: number): string {
  return new Date(stockholmClock(ms)).toISOString().slice(0, 10)
}

export function stockholmEpochDay(ms: number): number {
  return Math.floor(stockholmClock(ms) / DAY_MS)
}

export function daysSince(iso: string, nowMs: number): number {
  return stockholmEpochDay(nowMs) - stockholmEpochDay(Date.parse(iso))
}

/** Also right when the clock changes that night. */
export function stockholmDayStart(day: string): number {
  const utcMidnight = Date.parse(`${day}T00:00:00Z`)
  return withinYears(utcMidnight - offsetMs(utcMidnight - offsetMs(utcMidnight)))
}

export function stockholmDayEnd(day: string): number {
  return day === LAST_DAY ? LAST_MOMENT : stockholmDayStart(addDays(day, 1)) - 1
}

/** What Stockholm's clocks show at a moment, as milliseconds that read as UTC. */
export function stockholmClock(ms: number): number {
  return withinYears(ms + offsetMs(ms))
}

function withinYears(ms: number): number {
  return Math.min(LAST_MOMENT, Math.max(FIRST_MOMENT, ms))
}

/** `2026-11-20 08:12`, as Swedish spreadsheets recognise a moment. */
export function momentText(clockMs: number): string {
  const day = Math.floor(clockMs / DAY_MS)
  // Files are in the order of time.
  if (day !== lastDay.day) lastDay = { day, text: dayText(day) }
  const minutes = Math.floor((clockMs - day * DAY_MS) / MINUTE_MS)
  return `${lastDay.text} ${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`
}

let lastDay = { day: Number.NaN, text: '' }

function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : String(number)
}

/** The rule of the European Union (directive 2000/84/EC); no lead is older, so it is winter before. */
const RULED_FROM = Date.UTC(1997, 0, 1)

/** By the rule, because a phone needs 50 ms to load its time zones. */
function offsetMs(ms: number): number {
  if (!(ms >= RULED_FROM)) return HOUR_MS
  if (ms < lately.from || ms >= lately.until) lately = yearOf(ms)
  return ms >= lately.summerFrom && ms < lately.summerUntil ? 2 * HOUR_MS : HOUR_MS
}

function yearOf(ms: number) {
  const number = new Date(ms).getUTCFullYear()
  return {
    from: Date.UTC(number, 0, 1),
    summerFrom: lastSunday(number, MARCH) + HOUR_MS,
    summerUntil: lastSunday(number, OCTOBER) + HOUR_MS,
    until: Date.UTC(number + 1, 0, 1),
  }
}

const MARCH = 2
const OCTOBER = 9

/** Moments that are asked for together are mostly of one year. */
let lately = yearOf(RULED_FROM)

function lastSunday(year: number, month: number): number {
  const last = Date.UTC(year, month, 31)
  return last - new Date(last).getUTCDay() * DAY_MS
}

/** Days of 23 and 25 hours count as one. */
export function addDays(day: string, days: number): string {
  return dayText(epochDay(day) + days)
}

export function epochDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS
}

/** Beyond the calendar its first or last day. */
export function dayText(day: number): string {
  return new Date(withinYears(day * DAY_MS)).toISOString().slice(0, 10)
}

/** Days, both included; null is open. */
export type Period = { from: string | null; to: string | null }
