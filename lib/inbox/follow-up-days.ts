import { nextMonday } from '@/lib/time/next-monday'
import { addDays } from '@/lib/time/stockholm'
import { isWorkingDay } from '@/lib/time/working-days'

/** Which break is over then; none has a date of its own in the whole country, so each stands for a day that is after it everywhere. */
type Break = 'christmas' | 'easter' | 'summer'
export type FollowUpDay = { is: 'tomorrow' | 'monday' | 'nextWeek' | Break; day: string }

/**
 * The days on which one usually wants a lead back, the soonest first, each day once: tomorrow if that is a weekday, Monday, in
 * a week, and after the next break. Days are `yyyy-MM-dd`.
 */
export function followUpDays(today: string): FollowUpDay[] {
  const tomorrow = addDays(today, 1)
  const choices: FollowUpDay[] = [
    ...(isWeekday(tomorrow) ? [{ is: 'tomorrow' as const, day: tomorrow }] : []),
    { is: 'monday', day: nextMonday(today) },
    { is: 'nextWeek', day: weekdayFrom(addDays(today, WEEK)) },
    afterBreak(today),
  ]
  return choices.filter(({ day }, at) => choices.findIndex((other) => other.day === day) === at)
}

/** The last day that can be chosen: whoever waits longer has most likely mistyped the year. */
export function lastFollowUpDay(today: string): string {
  return addDays(today, LONGEST_DAYS)
}

/** Whether a lead is put aside now, as the list last said. It comes back in the morning, which the server decides. */
export function isPutAside(snoozeUntil: string | null | undefined, today: string): snoozeUntil is string {
  return snoozeUntil != null && snoozeUntil > today
}

const WEEK = 7
const LONGEST_DAYS = 730

function isWeekday(day: string): boolean {
  return isWorkingDay(day, () => false)
}

function weekdayFrom(day: string): string {
  return isWeekday(day) ? day : weekdayFrom(addDays(day, 1))
}

function afterBreak(today: string): FollowUpDay {
  const year = Number(today.slice(0, 4))
  const all = [year, year + 1].flatMap(breaksOf)
  return all.find(({ day }) => day > today) ?? { is: 'christmas', day: weekdayFrom(`${year + 2}-01-07`) }
}

/** Christmas ends with Epiphany; the Easter break is the week before or the one after; in August school begins around the 15th. */
function breaksOf(year: number): FollowUpDay[] {
  return [
    { is: 'christmas', day: weekdayFrom(`${year}-01-07`) },
    { is: 'easter', day: addDays(easterSunday(year), WEEK + 1) },
    { is: 'summer', day: weekdayFrom(`${year}-08-16`) },
  ]
}

/** The Gregorian computus as of Butcher (The Ecclesiastical Calendar, 1876). */
function easterSunday(year: number): string {
  const a = year % 19
  const [b, c] = [Math.floor(year / 100), year % 100]
  const f = Math.floor((b + 8) / 25)
  const g = Math.floor((b - f + 1) / 3)
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const sum = h + l - 7 * m + 114
  const [month, day] = [Math.floor(sum / 31), (sum % 31) + 1]
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}
