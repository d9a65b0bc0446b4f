import { addDays, epochDay } from '@/lib/time/stockholm'
import { easterSunday } from '@/lib/time/easter'
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

/** The last day that can be chosen: ten years from now, so that a mistyped year is told. */
export function lastFollowUpDay(today: string): string {
  return addDays(today, LONGEST_DAYS)
}

/** Whether a lead is put aside now, as the list last said. It comes back in the morning, which the server decides. */
export function isPutAside(snoozeUntil: string | null | undefined, today: string): snoozeUntil is string {
  return snoozeUntil != null && snoozeUntil > today
}

const WEEK = 7
const LONGEST_DAYS = 3652

function isWeekday(day: string): boolean {
  return isWorkingDay(day, () => false)
}

function weekdayFrom(day: string): string {
  return isWeekday(day) ? day : weekdayFrom(addDays(day, 1))
}

/** 1 January 1970 was a Thursday, so the days 4, 11 and so on are Mondays. */
function nextMonday(today: string): string {
  return addDays(today, WEEK - ((epochDay(today) + 3) % WEEK))
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
