import { addDays, epochDay } from '@/lib/time/stockholm'
import { findEasterSunday } from '@/lib/time/swedish-holidays'
import { isWeekday } from '@/lib/time/working-days'

export type FollowUpDay = { kind: 'tomorrow' | 'monday' | 'nextWeek' | 'christmas' | 'easter' | 'summer'; day: string }

const WEEK_DAYS = 7

/** Lists tomorrow if it is a weekday, Monday, a week from now, and a day after the next break, each day once. */
export function followUpDays(today: string): FollowUpDay[] {
  const weekdayFrom = (day: string): string => (isWeekday(day) ? day : weekdayFrom(addDays(day, 1)))
  const thisYear = Number(today.slice(0, 4))
  // Breaks have no date in common in the whole country, so each stands for a day that is after it everywhere.
  const breaks = [thisYear, thisYear + 1].flatMap((year): FollowUpDay[] => [
    // Christmas ends with Epiphany.
    { kind: 'christmas', day: weekdayFrom(`${year}-01-07`) },
    // The Easter break is the week before or after.
    { kind: 'easter', day: addDays(findEasterSunday(year), WEEK_DAYS + 1) },
    // School begins around 15 August.
    { kind: 'summer', day: weekdayFrom(`${year}-08-16`) },
  ])
  const choices: FollowUpDay[] = [
    { kind: 'tomorrow', day: addDays(today, 1) },
    // Day 4 of 1970 was a Monday.
    { kind: 'monday', day: addDays(today, WEEK_DAYS - ((epochDay(today) + 3) % WEEK_DAYS)) },
    { kind: 'nextWeek', day: weekdayFrom(addDays(today, WEEK_DAYS)) },
    ...breaks.filter(({ day }) => day > today).slice(0, 1),
  ]
  const isFirst = (day: string, index: number) => choices.findIndex((other) => other.day === day) === index
  return choices.filter(({ day }, index) => isWeekday(day) && isFirst(day, index))
}

const MAX_DAYS = 3652

/** The last day is ten years from now, so that a mistyped year is refused. */
export function lastFollowUpDay(today: string): string {
  return addDays(today, MAX_DAYS)
}
