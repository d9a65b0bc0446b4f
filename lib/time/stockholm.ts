import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations'

/* A day is `yyyy-MM-dd`, an epoch day its number from 1 January 1970, and a moment in ms. Years are 0000 to 9999. */

export const FIRST_DAY = '0000-01-01'
export const LAST_DAY = '9999-12-31'
export const FIRST_MOMENT = Date.parse(`${FIRST_DAY}T00:00:00.000Z`)
export const LAST_MOMENT = Date.parse(`${LAST_DAY}T23:59:59.999Z`)

export function toStockholmDay(ms: number): string {
  return new Date(toStockholmClock(ms)).toISOString().slice(0, 10)
}

export function toStockholmEpochDay(ms: number): number {
  return Math.floor(toStockholmClock(ms) / DAY_MS)
}

export function countDaysSince(iso: string, nowMs: number): number {
  return toStockholmEpochDay(nowMs) - toStockholmEpochDay(Date.parse(iso))
}

export function startOfStockholmDay(day: string): number {
  const utcMidnight = Date.parse(`${day}T00:00:00Z`)
  return clampToCalendar(utcMidnight - findOffsetMs(utcMidnight - findOffsetMs(utcMidnight)))
}

export function endOfStockholmDay(day: string): number {
  return day === LAST_DAY ? LAST_MOMENT : startOfStockholmDay(addDays(day, 1)) - 1
}

/** Returns what Stockholm's clocks show, as milliseconds that read as UTC. */
export function toStockholmClock(ms: number): number {
  return clampToCalendar(ms + findOffsetMs(ms))
}

function clampToCalendar(ms: number): number {
  return Math.min(LAST_MOMENT, Math.max(FIRST_MOMENT, ms))
}

let cachedDay = { epochDay: Number.NaN, text: '' }

/** Writes `2026-11-20 08:12`, which Swedish spreadsheets recognise. Files are mostly by date, so the day is cached. */
export function formatClock(clockMs: number): string {
  const epochDay = Math.floor(clockMs / DAY_MS)
  if (epochDay !== cachedDay.epochDay) cachedDay = { epochDay, text: formatIsoDay(epochDay) }
  const minutes = Math.floor((clockMs - epochDay * DAY_MS) / MINUTE_MS)
  return `${cachedDay.text} ${padToTwo(Math.floor(minutes / 60))}:${padToTwo(minutes % 60)}`
}

function padToTwo(number: number): string {
  return number < 10 ? `0${number}` : String(number)
}

/** From here on summer time is as in directive 2000/84/EC. Before, all is winter time: no lead should be that old. */
const RULE_START_MS = Date.UTC(1997, 0, 1)

/** Computes the offset to UTC by the rule, because a phone needs 50 ms to load its time zones. */
function findOffsetMs(ms: number): number {
  if (ms < RULE_START_MS) return HOUR_MS
  if (ms < cachedYear.start || ms >= cachedYear.end) cachedYear = findSummerTime(ms)
  return ms >= cachedYear.summerStart && ms < cachedYear.summerEnd ? 2 * HOUR_MS : HOUR_MS
}

const MARCH = 2
const OCTOBER = 9

function findSummerTime(ms: number) {
  const year = new Date(ms).getUTCFullYear()
  return {
    start: Date.UTC(year, 0, 1),
    summerStart: findLastSunday(year, MARCH) + HOUR_MS,
    summerEnd: findLastSunday(year, OCTOBER) + HOUR_MS,
    end: Date.UTC(year + 1, 0, 1),
  }
}

let cachedYear = findSummerTime(RULE_START_MS)

function findLastSunday(year: number, month: number): number {
  const last = Date.UTC(year, month, 31)
  return last - new Date(last).getUTCDay() * DAY_MS
}

/** Adds calendar days, whether they have 23, 24 or 25 hours. */
export function addDays(day: string, days: number): string {
  return formatIsoDay(parseIsoDay(day) + days)
}

export function parseIsoDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS
}

export function formatIsoDay(epochDay: number): string {
  return new Date(clampToCalendar(epochDay * DAY_MS)).toISOString().slice(0, 10)
}
