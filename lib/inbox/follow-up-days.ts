import { addDays, epochDay } from '@/lib/time/stockholm'
import { easterSunday, isWorkingDay } from '@/lib/time/working-days'

/** Breaks have no date in common in the whole country, so each stands for a day that is after it everywhere. */
type Break = 'christmas' | 'easter' | 'summer'
export type FollowUpDay = { is: 'tomorrow' | 'monday' | 'nextWeek' | Break; day: string }

/** Tomorrow if that is a weekday, Monday, in a week, and after the next break; the soonest first, each once. */
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

/** Ten years from now, so that a mistyped year is refused. */
export function lastFollowUpDay(today: string): string {
  return addDays(today, MAX_DAYS)
}

const WEEK = 7
const MAX_DAYS = 3652

function isWeekday(day: string): boolean {
  return isWorkingDay(day, () => false)
}

function weekdayFrom(day: string): string {
  return isWeekday(day) ? day : weekdayFrom(addDays(day, 1))
}

/** Day 4 of 1970 was a Monday. */
function nextMonday(today: string): string {
  return addDays(today, WEEK - ((epochDay(today) + 3) % WEEK))
}

function afterBreak(today: string): FollowUpDay {
  const year = Number(today.slice(0, 4))
  const all = [year, year + 1].flatMap(breaksOf)
  return all.find(({ day }) => day > today) ?? { is: 'christmas', day: weekdayFrom(`${year + 2}-01-07`) }
}

/** Christmas ends with Epiphany; the Easter break is the week before or after; school begins around 15 August. */
function breaksOf(year: number): FollowUpDay[] {
  return [
    { is: 'christmas', day: weekdayFrom(`${year}-01-07`) },
    { is: 'easter', day: addDays(easterSunday(year), WEEK + 1) },
    { is: 'summer', day: weekdayFrom(`${year}-08-16`) },
  ]
}
