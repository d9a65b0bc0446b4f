import { cumulativeShares, type Random } from './random'
import { stockholmOffsetMs, stockholmToUtc } from './stockholm-time'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const historyDays = 3 * 365

/** Draws moments within the three years before `now`, distributed as over admission years. */
export function createArrivalTimes(now: number): (random: Random) => number {
  const today = Math.floor((now + stockholmOffsetMs(now)) / dayMs)
  const firstDay = today - historyDays + 1
  const history = Array.from({ length: historyDays }, (_, index) => firstDay + index)
  const days = cumulativeShares(history.map(dayWeight))
  const hours = { school: cumulativeShares(schoolDay), dayOff: cumulativeShares(dayOff) }

  return function draw(random): number {
    const day = firstDay + random.pickIndex(days)
    const date = new Date(day * dayMs)
    const isDayOff = date.getUTCDay() === 0 || date.getUTCDay() === 6 || date.getUTCMonth() === 6
    const hour = random.pickIndex(isDayOff ? hours.dayOff : hours.school)
    const moment = stockholmToUtc(day * dayMs + hour * hourMs + random.below(hourMs))
    return moment <= now ? moment : draw(random)
  }
}

/** Weights of days between two dates, which are written as MMDD. Other days weigh 1. */
const seasons: readonly { startMonthDay: number; endMonthDay: number; weight: number }[] = [
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

function dayWeight(day: number): number {
  const date = new Date(day * dayMs)
  const monthDay = (date.getUTCMonth() + 1) * 100 + date.getUTCDate()
  const season = seasons.find(({ startMonthDay, endMonthDay }) => monthDay >= startMonthDay && monthDay <= endMonthDay)
  const weekdayWeight = [0.75, 1.1, 1.15, 1.1, 1.05, 0.8, 0.55][date.getUTCDay()] ?? 1
  return (season?.weight ?? 1) * weekdayWeight
}

/** Weights of the 24 hours of a day in Stockholm. School days peak in the breaks and in the evening. */
const schoolDay = [3, 1, 0.5, 0.3, 0.3, 0.6, 3, 12, 28, 30, 34, 38, 36, 32, 38, 44, 46, 44, 48, 56, 58, 46, 26, 10]
const dayOff = [5, 2, 1, 0.5, 0.3, 0.3, 1, 3, 8, 16, 24, 28, 28, 30, 32, 34, 36, 36, 38, 44, 46, 38, 24, 12]
