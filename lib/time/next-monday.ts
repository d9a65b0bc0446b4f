import { addDays, epochDay } from './stockholm'

const WEEK_DAYS = 7
/** 5 January 1970, the first Monday. */
const FIRST_MONDAY = 4

/** The next Monday after a day; after a Monday the one in a week. */
export function nextMonday(day: string): string {
  const since = (((epochDay(day) - FIRST_MONDAY) % WEEK_DAYS) + WEEK_DAYS) % WEEK_DAYS
  return addDays(day, WEEK_DAYS - since)
}
