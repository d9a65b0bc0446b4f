import { addDays, formatIsoDay, parseIsoDay } from './stockholm'
import { findMonday } from './weeks'

const FIXED_DATES = new Set(['01-01', '01-06', '05-01', '06-06', '12-24', '12-25', '12-26', '12-31'])

let cachedYear = { year: '', movingDays: new Set<string>() }

/** Tells by today's law whether a day is a public holiday (act 1989:253), or Midsummer, Christmas or New Year's Eve. */
export function isSwedishHoliday(day: string): boolean {
  const year = day.slice(0, 4)
  if (year !== cachedYear.year) {
    const easter = findEasterSunday(Number(year))
    const midsummerDay = findSaturdayFrom(`${year}-06-20`)
    const easterHolidays = [-2, 0, 1, 39, 49].map((daysAfter) => addDays(easter, daysAfter))
    const weekdayHolidays = [midsummerDay, addDays(midsummerDay, -1), findSaturdayFrom(`${year}-10-31`)]
    cachedYear = { year, movingDays: new Set([...easterHolidays, ...weekdayHolidays]) }
  }
  return FIXED_DATES.has(day.slice(5)) || cachedYear.movingDays.has(day)
}

function findSaturdayFrom(day: string): string {
  return formatIsoDay(findMonday(parseIsoDay(day) + 1) + 5)
}

/** Finds Easter Sunday by the Gregorian computus in Butcher's form (The Ecclesiastical Calendar, 1876). */
export function findEasterSunday(year: number): string {
  const a = year % 19
  const [b, c] = [Math.floor(year / 100), year % 100]
  const f = Math.floor((b + 8) / 25)
  const g = Math.floor((b - f + 1) / 3)
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const sum = h + l - 7 * m + 114
  const [month, day] = [Math.floor(sum / 31), (sum % 31) + 1]
  return [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')
}
