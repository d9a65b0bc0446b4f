import { cumulativeShares, type Random } from './random'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
const HISTORY_DAYS = 3 * 365
const MARCH = 2
const JULY = 6
const OCTOBER = 9

/** The weight of each day from `startMonthDay` to `endMonthDay` (MMDD, both included). Every other day weighs 1. */
const SEASONS: readonly { startMonthDay: number; endMonthDay: number; weight: number }[] = [
  { startMonthDay: 107, endMonthDay: 114, weight: 1.2 },
  // The application, 15 January to 15 February, is busiest at its end.
  { startMonthDay: 115, endMonthDay: 131, weight: 2.6 },
  { startMonthDay: 201, endMonthDay: 210, weight: 3.4 },
  { startMonthDay: 211, endMonthDay: 215, weight: 5 },
  { startMonthDay: 410, endMonthDay: 515, weight: 1.5 },
  { startMonthDay: 620, endMonthDay: 630, weight: 0.6 },
  { startMonthDay: 701, endMonthDay: 731, weight: 0.15 },
  { startMonthDay: 801, endMonthDay: 812, weight: 0.5 },
  { startMonthDay: 813, endMonthDay: 915, weight: 1.3 },
  { startMonthDay: 1010, endMonthDay: 1031, weight: 2 },
  { startMonthDay: 1101, endMonthDay: 1130, weight: 2.8 },
  { startMonthDay: 1201, endMonthDay: 1215, weight: 1.6 },
  { startMonthDay: 1220, endMonthDay: 1231, weight: 0.4 },
]

/** The weights of the days of a week, from Sunday. */
const WEEKDAY_WEIGHTS = [0.75, 1.1, 1.15, 1.1, 1.05, 0.8, 0.55]

/** The weights of the 24 hours of a day in Stockholm. School days peak in the breaks and in the evening. */
const SCHOOL_DAY_HOUR_WEIGHTS = [
  3, 1, 0.5, 0.3, 0.3, 0.6, 3, 12, 28, 30, 34, 38, 36, 32, 38, 44, 46, 44, 48, 56, 58, 46, 26, 10,
]
const DAY_OFF_HOUR_WEIGHTS = [
  5, 2, 1, 0.5, 0.3, 0.3, 1, 3, 8, 16, 24, 28, 28, 30, 32, 34, 36, 36, 38, 44, 46, 38, 24, 12,
]

/** Returns a function that draws moments of the three years before `now`, weighted by season, weekday and hour. */
export function createArrivalTimes(now: number): (random: Random) => number {
  const today = Math.floor((now + stockholmOffsetMs(now)) / DAY_MS)
  const firstDay = today - HISTORY_DAYS + 1
  const history = Array.from({ length: HISTORY_DAYS }, (_, index) => firstDay + index)
  const dayShares = cumulativeShares(history.map(weighDay))
  const hourShares = {
    schoolDay: cumulativeShares(SCHOOL_DAY_HOUR_WEIGHTS),
    dayOff: cumulativeShares(DAY_OFF_HOUR_WEIGHTS),
  }

  return function drawArrivalTime(random): number {
    const day = firstDay + random.pickIndex(dayShares)
    const date = new Date(day * DAY_MS)
    // All of July is holiday, so its hours are those of days off.
    const isDayOff = date.getUTCDay() === 0 || date.getUTCDay() === 6 || date.getUTCMonth() === JULY
    const hour = random.pickIndex(isDayOff ? hourShares.dayOff : hourShares.schoolDay)
    const moment = stockholmToUtc(day * DAY_MS + hour * HOUR_MS + random.below(HOUR_MS))
    return moment <= now ? moment : drawArrivalTime(random)
  }
}

function weighDay(day: number) {
  const date = new Date(day * DAY_MS)
  const monthDay = (date.getUTCMonth() + 1) * 100 + date.getUTCDate()
  const season = SEASONS.find(({ startMonthDay, endMonthDay }) => monthDay >= startMonthDay && monthDay <= endMonthDay)
  const weekdayWeight = WEEKDAY_WEIGHTS[date.getUTCDay()] ?? 1
  return (season?.weight ?? 1) * weekdayWeight
}

/** The clocks in Europe/Stockholm change at 01:00 UTC on the last Sundays of March and October. */
export function findClockChanges(year: number): { toSummer: number; toWinter: number } {
  return { toSummer: findLastSunday(year, MARCH) + HOUR_MS, toWinter: findLastSunday(year, OCTOBER) + HOUR_MS }
}

function stockholmOffsetMs(utcMs: number) {
  const { toSummer, toWinter } = findClockChanges(new Date(utcMs).getUTCFullYear())
  return utcMs >= toSummer && utcMs < toWinter ? 2 * HOUR_MS : HOUR_MS
}

/** Converts a local time, given as if it were UTC. An hour that comes twice counts as its second pass. */
function stockholmToUtc(localMs: number) {
  // The time less one hour lies on the right side of a clock change.
  return localMs - stockholmOffsetMs(localMs - HOUR_MS)
}

function findLastSunday(year: number, month: number) {
  const lastDay = new Date(Date.UTC(year, month + 1, 0))
  return lastDay.getTime() - lastDay.getUTCDay() * DAY_MS
}
