import 'server-only'
import { createHash } from 'node:crypto'
import { dayText, stockholmDayStart, stockholmEpochDay } from '@/lib/time/stockholm'
import { type IsHoliday, isWorkingDay } from '@/lib/time/working-days'

const MINUTE_MS = 60_000
/** From eight to four, on working days in Stockholm. */
const OPENS_MS = 8 * 3_600_000
const DAY = 8 * 60

/** When invented colleagues work, from one moment to another (ms), in minutes of work since the first. */
export function createWorkingHours(isHoliday: IsHoliday, from: number, to: number) {
  const starts: number[] = []
  /** How many working days came before each day. */
  const before: number[] = []
  const first = stockholmEpochDay(from)
  for (let day = first; day <= stockholmEpochDay(to); day++) {
    before.push(starts.length)
    if (isWorkingDay(dayText(day), isHoliday)) starts.push(stockholmDayStart(dayText(day)) + OPENS_MS)
  }
  return {
    /** Minutes worked up to a moment. */
    worked(moment: number): number {
      const days = before[stockholmEpochDay(moment) - first] ?? 0
      return days * DAY + Math.min(DAY, Math.max(0, (moment - (starts[days] ?? to)) / MINUTE_MS))
    },
    /** The moment at which so many minutes have been worked. */
    momentOf: (minutes: number) => Math.floor((starts[Math.floor(minutes / DAY)] ?? to) + (minutes % DAY) * MINUTE_MS),
    /** When the working days that have begun did so, the latest first. */
    starts: starts.filter((start) => start <= to).toReversed(),
  }
}

/** Numbers from 0 up to 1, at most sixteen, the same ones for the same word. */
export function luckOf(word: string): () => number {
  const numbers = new Uint32Array(new Uint8Array(createHash('sha512').update(word).digest()).buffer)
  let place = 0
  return () => (numbers[place++] ?? 0) / 2 ** 32
}
