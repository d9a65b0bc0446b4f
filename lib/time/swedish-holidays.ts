import { findEasterSunday } from './working-days'
import { addDays, dayText, epochDay } from './stockholm'
import { findMonday } from './weeks'

/** Whether a day is a public holiday (act 1989:253) or one of three eves, by today's law. */
export function isSwedishHoliday(day: string): boolean {
  const year = day.slice(0, 4)
  if (year !== cachedYear.year) {
    const easter = findEasterSunday(Number(year))
    const midsummerDay = findSaturdayFrom(`${year}-06-20`)
    const easterHolidays = [-2, 0, 1, 39, 49].map((daysAfter) => addDays(easter, daysAfter))
    const weekdayHolidays = [midsummerDay, addDays(midsummerDay, -1), findSaturdayFrom(`${year}-10-31`)]
    cachedYear = { year, moving: new Set([...easterHolidays, ...weekdayHolidays]) }
  }
  return FIXED_DATES.has(day.slice(5)) || cachedYear.moving.has(day)
}

const FIXED_DATES = new Set(['01-01', '01-06', '05-01', '06-06', '12-24', '12-25', '12-26', '12-31'])

/** The last year is cached, because days that come together are mostly of one year. */
let cachedYear = { year: '', moving: new Set<string>() }

function findSaturdayFrom(day: string): string {
  return dayText(findMonday(epochDay(day) + 1) + 5)
}
