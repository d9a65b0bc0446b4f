import { addDays, formatIsoDay, parseIsoDay } from '@/lib/time/stockholm'
import { findMonday, WEEK_DAYS } from '@/lib/time/weeks'
import { isWeekday } from '@/lib/time/working-days'

type FollowUpDay = { kind: 'tomorrow' | 'monday' | 'nextWeek'; day: string }

/** Lists tomorrow if it is a weekday, Monday, and a weekday a week from now, each day once. */
export function listFollowUpDays(today: string): FollowUpDay[] {
  const findWeekdayFrom = (day: string): string => (isWeekday(day) ? day : findWeekdayFrom(addDays(day, 1)))
  const choices: FollowUpDay[] = [
    { kind: 'tomorrow', day: addDays(today, 1) },
    { kind: 'monday', day: formatIsoDay(findMonday(parseIsoDay(today)) + WEEK_DAYS) },
    { kind: 'nextWeek', day: findWeekdayFrom(addDays(today, WEEK_DAYS)) },
  ]
  const isFirst = (day: string, index: number) => choices.findIndex((other) => other.day === day) === index
  return choices.filter(({ day }, index) => isWeekday(day) && isFirst(day, index))
}

/** Ten years ahead is the limit, because a later year is a typing error. */
const MAX_DAYS_AHEAD = 3652

export function findLastFollowUpDay(today: string): string {
  return addDays(today, MAX_DAYS_AHEAD)
}
