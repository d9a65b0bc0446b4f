import { easterSunday } from './working-days'
import { addDays, dayText, epochDay } from './stockholm'
import { mondayOf } from './weeks'

/** The public holidays of the act (1989:253) and three eves, as they are today; the National Day is one since 2005. */
export function isSwedishHoliday(day: string): boolean {
  const date = day.slice(5)
  if (FIXED.has(date)) return date !== NATIONAL_DAY || day >= '2005'
  return MOVING_MONTHS.has(date.slice(0, 2)) && holidaysOf(day.slice(0, 4)).has(day)
}

const NATIONAL_DAY = '06-06'
const FIXED = new Set(['01-01', '01-06', '05-01', NATIONAL_DAY, '12-24', '12-25', '12-26', '12-31'])
const MOVING_MONTHS = new Set(['03', '04', '05', '06', '10', '11'])

let lately = { year: '', days: new Set<string>() }

/** The holidays that move with Easter, or to a Friday or Saturday. The last year is kept, because days of one year are mostly asked for together. */
function holidaysOf(year: string): ReadonlySet<string> {
  if (lately.year === year) return lately.days
  const easter = easterSunday(Number(year))
  const midsummerDay = saturdayFrom(`${year}-06-20`)
  const days = [...[-2, 0, 1, 39, 49].map((after) => addDays(easter, after)), midsummerDay, addDays(midsummerDay, -1)]
  lately = { year, days: new Set([...days, saturdayFrom(`${year}-10-31`)]) }
  return lately.days
}

function saturdayFrom(day: string): string {
  return dayText(mondayOf(epochDay(day) + 1) + 5)
}
