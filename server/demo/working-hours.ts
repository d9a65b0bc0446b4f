import 'server-only'
import { addDays, stockholmDay, stockholmDayStart } from '@/lib/time/stockholm'
import { type IsHoliday, isWorkingDay } from '@/lib/time/working-days'

const MINUTE_MS = 60_000
/** From eight to four, on working days in Stockholm. */
const OPENS_MS = 8 * 3_600_000
const MINUTES_A_DAY = 8 * 60

export type WorkingHours = ReturnType<typeof createWorkingHours>

/** The calendar in which invented colleagues work, from one moment to another (ms), counted in minutes of work since its beginning. */
export function createWorkingHours(isHoliday: IsHoliday, from: number, to: number) {
  const starts: number[] = []
  for (let day = stockholmDay(from); day <= stockholmDay(to); day = addDays(day, 1))
    if (isWorkingDay(day, isHoliday)) starts.push(stockholmDayStart(day) + OPENS_MS)
  /** How many working days have begun. */
  const begun = (moment: number): number => {
    let [low, high] = [0, starts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= moment) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    /** Minutes worked up to a moment. */
    worked(moment: number): number {
      const last = begun(moment) - 1
      return last < 0 ? 0 : last * MINUTES_A_DAY + Math.min(MINUTES_A_DAY, (moment - (starts[last] ?? 0)) / MINUTE_MS)
    },
    /** The moment at which so many minutes have been worked. */
    momentOf(minutes: number): number {
      const start = starts[Math.floor(minutes / MINUTES_A_DAY)] ?? to
      return Math.floor(start + (minutes % MINUTES_A_DAY) * MINUTE_MS)
    },
    /** When the last working days before a moment began, the latest first, its own with them once work has begun. */
    startsBefore: (moment: number, count: number): number[] =>
      starts.slice(Math.max(0, begun(moment) - count), begun(moment)).toReversed(),
  }
}

/** Numbers from 0 up to 1, the same ones for the same word (FNV-1a into mulberry32). */
export function luckOf(word: string): () => number {
  let state = 2_166_136_261
  for (let place = 0; place < word.length; place++) state = Math.imul(state ^ word.charCodeAt(place), 16_777_619)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
