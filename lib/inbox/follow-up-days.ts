import { addDays, formatIsoDay, parseIsoDay } from '@/lib/time/stockholm'
import { findEasterSunday } from '@/lib/time/swedish-holidays'
import { findMonday, WEEK_DAYS } from '@/lib/time/weeks'
import { isWeekday } from '@/lib/time/working-days'

export type FollowUpDay = { kind: 'tomorrow' | 'monday' | 'nextWeek' | 'christmas' | 'easter' | 'summer'; day: string }

/** Lists tomorrow if it is a weekday, Monday, a week from now, and a day after the next break, each day once. */
export function listFollowUpDays(today: string): FollowUpDay[] {
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
    { kind: 'monday', day: formatIsoDay(findMonday(parseIsoDay(today)) + WEEK_DAYS) },
    { kind: 'nextWeek', day: weekdayFrom(addDays(today, WEEK_DAYS)) },
    ...breaks.filter(({ day }) => day > today).slice(0, 1),
  ]
  const isFirst = (day: string, index: number) => choices.findIndex((other) => other.day === day) === index
  return choices.filter(({ day }, index) => isWeekday(day) && isFirst(day, index))
}

/** Ten years ahead is the limit, because a later year is a typing error. */
const MAX_DAYS_AHEAD = 3652

export function findLastFollowUpDay(today: string): string {
  return addDays(today, MAX_DAYS_AHEAD)
}
