import 'server-only'
import { createHash } from 'node:crypto'
import { addDays, stockholmDay, stockholmDayStart, stockholmEpochDay } from '@/lib/time/stockholm'
import { type IsHoliday, isWorkingDay } from '@/lib/time/working-days'

const MINUTE_MS = 60_000
/** From eight to four, on working days in Stockholm. */
const OPENS_MS = 8 * 3_600_000
const MINUTES_A_DAY = 8 * 60

export type WorkingHours = ReturnType<typeof createWorkingHours>

/** The calendar in which invented colleagues work, from one moment to another (ms), counted in minutes of work since its beginning. */
export function createWorkingHours(isHoliday: IsHoliday, from: number, to: number) {
  const starts: number[] = []
  /** Of each day, how many working days were before it, and when work begins, if it does. */
  const days: { before: number; start: number | null }[] = []
  for (let day = stockholmDay(from); day <= stockholmDay(to); day = addDays(day, 1)) {
    const start = isWorkingDay(day, isHoliday) ? stockholmDayStart(day) + OPENS_MS : null
    days.push({ before: starts.length, start })
    if (start !== null) starts.push(start)
  }
  return {
    /** Minutes worked up to a moment. */
    worked(moment: number): number {
      const { before = 0, start = null } = days[stockholmEpochDay(moment) - stockholmEpochDay(from)] ?? {}
      const today = start === null ? 0 : Math.max(0, (moment - start) / MINUTE_MS)
      return before * MINUTES_A_DAY + Math.min(MINUTES_A_DAY, today)
    },
    /** The moment at which so many minutes have been worked. */
    momentOf: (minutes: number): number =>
      Math.floor((starts[Math.floor(minutes / MINUTES_A_DAY)] ?? to) + (minutes % MINUTES_A_DAY) * MINUTE_MS),
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
