import 'server-only'
import { addDays, FIRST_DAY, LAST_DAY, LAST_MOMENT, stockholmDay, stockholmDayStart } from '@/lib/time/stockholm'
import { type IsHoliday, isWorkingDay } from '@/lib/time/working-days'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** From eight to four, on working days in Stockholm. */
const OPENS_MS = 8 * HOUR_MS
const MINUTES_A_DAY = 8 * 60

export type WorkingHours = ReturnType<typeof createWorkingHours>

/** The calendar in which invented colleagues work. A moment is milliseconds since the epoch. */
export function createWorkingHours(isHoliday: IsHoliday) {
  const starts = new Map<string, number | null>()
  /** When work begins on a day; null where nobody works. */
  const startOf = (day: string): number | null => {
    const known = starts.get(day)
    if (known !== undefined) return known
    const start = isWorkingDay(day, isHoliday) ? stockholmDayStart(day) + OPENS_MS : null
    starts.set(day, start)
    return start
  }
  /** Minutes of work that are left of a day at a moment of it. */
  const leftOf = (day: string, moment: number): number => {
    const start = startOf(day)
    if (start === null) return 0
    return Math.max(0, MINUTES_A_DAY - Math.max(0, (moment - start) / MINUTE_MS))
  }
  return {
    startOf,
    /** The moment at which so many minutes have been worked since another. */
    after(moment: number, minutes: number): number {
      let [day, left] = [stockholmDay(moment), minutes]
      for (let from = moment; day < LAST_DAY; from = stockholmDayStart(day)) {
        const today = leftOf(day, from)
        const start = startOf(day)
        if (start !== null && left < today) return Math.floor(Math.max(start, from) + left * MINUTE_MS)
        left -= today
        day = addDays(day, 1)
      }
      return LAST_MOMENT
    },
    /** Minutes worked from one moment to another, counted up to `most`. */
    between(from: number, to: number, most = Infinity): number {
      let [day, minutes] = [stockholmDay(from), 0]
      const last = stockholmDay(to)
      for (let at = from; day <= last && day < LAST_DAY && minutes < most; at = stockholmDayStart(day)) {
        minutes += leftOf(day, at) - (day === last ? leftOf(day, Math.max(to, at)) : 0)
        day = addDays(day, 1)
      }
      return Math.max(0, Math.min(most, minutes))
    },
    /** The working days before a moment, the latest first, its own with them once work has begun. */
    daysBefore(moment: number, count: number): string[] {
      const days: string[] = []
      for (let day = stockholmDay(moment); days.length < count && day > FIRST_DAY; day = addDays(day, -1)) {
        const start = startOf(day)
        if (start !== null && start <= moment) days.push(day)
      }
      return days
    },
  }
}

/** Numbers from 0 up to 1, the same ones for the same word (FNV-1a into mulberry32). */
export function luckOf(word: string): () => number {
  let state = 2_166_136_261
  for (let place = 0; place < word.length; place++) {
    state = Math.imul(state ^ word.charCodeAt(place), 16_777_619)
  }
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
