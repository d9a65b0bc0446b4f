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

/** Weights of days, `from` and `to` as MMDD. Other days weigh 1. */
const seasons: readonly { from: number; to: number; weight: number }[] = [
  { from: 107, to: 114, weight: 1.2 },
  // The application, 15 January to 15 February, is busiest at its end.
  { from: 115, to: 131, weight: 2.6 },
  { from: 201, to: 210, weight: 3.4 },
  { from: 211, to: 215, weight: 5 },
  { from: 410, to: 515, weight: 1.5 },
  { from: 620, to: 630, weight: 0.6 },
  { from: 701, to: 731, weight: 0.15 },
  { from: 801, to: 812, weight: 0.5 },
  { from: 813, to: 915, weight: 1.3 },
  { from: 1010, to: 1031, weight: 2 },
  { from: 1101, to: 1130, weight: 2.8 },
  { from: 1201, to: 1215, weight: 1.6 },
  { from: 1220, to: 1231, weight: 0.4 },
]

function dayWeight(day: number): number {
  const date = new Date(day * dayMs)
  const monthDay = (date.getUTCMonth() + 1) * 100 + date.getUTCDate()
  const season = seasons.find(({ from, to }) => monthDay >= from && monthDay <= to)?.weight ?? 1
  const weekday = [0.75, 1.1, 1.15, 1.1, 1.05, 0.8, 0.55][date.getUTCDay()] ?? 1
  return season * weekday
}

/** Weight of each hour of a Stockholm day: breaks at school, then the evening at home. */
const schoolDay = [3, 1, 0.5, 0.3, 0.3, 0.6, 3, 12, 28, 30, 34, 38, 36, 32, 38, 44, 46, 44, 48, 56, 58, 46, 26, 10]
const dayOff = [5, 2, 1, 0.5, 0.3, 0.3, 1, 3, 8, 16, 24, 28, 28, 30, 32, 34, 36, 36, 38, 44, 46, 38, 24, 12]
