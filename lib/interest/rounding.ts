import type { Count } from '@/lib/contract/interest'
import { sizeOf } from './axis'

/**
 * How counted numbers leave the server: exactly, or for managers by the rule in `lib/contract/interest.ts`. Both are counted by
 * the same code, and rounded last.
 */
export type Rounding = {
  count: (count: number) => Count
  share: (part: number, whole: number) => number | null
  minutes: (minutes: number | null, answered: number) => number | null
  /** Whether a season shows the ends of its weeks alone. */
  isWeekly: boolean
}

export const exact: Rounding = {
  count: (count) => count,
  share: (part, whole) => (whole === 0 ? null : part / whole),
  minutes: (minutes) => minutes,
  isWeekly: false,
}

export const ROUNDED_TO = 5
const MIN_PEOPLE_FOR_SHARE = 25
const MIN_PEOPLE_FOR_TIMES = 8
const [HOUR, DAY] = [60, 24 * 60]

export const rounded: Rounding = {
  count: (count) => (count > 0 && count < ROUNDED_TO ? '<5' : Math.round(count / ROUNDED_TO) * ROUNDED_TO),
  share: (part, whole) => (whole < MIN_PEOPLE_FOR_SHARE ? null : Math.round((part / whole) * 100) / 100),
  // Times are whole hours, and whole days from two days on.
  minutes: (minutes, answered) => {
    if (minutes === null || answered < MIN_PEOPLE_FOR_TIMES) return null
    const unit = minutes < 2 * DAY ? HOUR : DAY
    return Math.round(minutes / unit) * unit
  },
  isWeekly: true,
}

/** The change from one count to another, 0.18 for 18 % more; it is null where either is of too few. */
export function changeOf(now: Count, before: Count): number | null {
  const [a, b] = [sizeOf(now), sizeOf(before)]
  return Math.min(a, b) < MIN_PEOPLE_FOR_SHARE ? null : Math.round((a / b - 1) * 100) / 100
}

/** Weeks of a cycle end on its day zero, and whole weeks before and after it. */
export function endOfCycleWeek(cycleDay: number): number {
  return Math.ceil(cycleDay / 7) * 7 + 0
}
