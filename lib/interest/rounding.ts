import type { Count } from '@/lib/contract/interest'

/** Returns a count to draw and to compare by: 2.5 for one below five. */
export function estimateCount(count: Count): number {
  return count === '<5' ? 2.5 : count
}

/** Staff get exact numbers, and managers numbers that are rounded by the rules in `lib/contract/interest.ts`. */
export type Rounding = {
  roundCount: (count: number) => Count
  roundShare: (part: number, whole: number) => number | null
  roundMinutes: (minutes: number | null, answerCount: number) => number | null
  /** A weekly rounding shows only the ends of a season's weeks. */
  isWeekly: boolean
}

export const exactRounding: Rounding = {
  roundCount: (count) => count,
  roundShare: (part, whole) => (whole === 0 ? null : part / whole),
  roundMinutes: (minutes) => minutes,
  isWeekly: false,
}

export const ROUNDING_STEP = 5
const MIN_COUNT_FOR_SHARE = 25
const MIN_COUNT_FOR_MINUTES = 8
const HOUR_MINUTES = 60
const DAY_MINUTES = 24 * HOUR_MINUTES

export const managerRounding: Rounding = {
  roundCount: (count) =>
    count > 0 && count < ROUNDING_STEP ? '<5' : Math.round(count / ROUNDING_STEP) * ROUNDING_STEP,
  roundShare: (part, whole) => (whole < MIN_COUNT_FOR_SHARE ? null : Math.round((part / whole) * 100) / 100),
  // Durations are whole hours, and whole days from two days on.
  roundMinutes: (minutes, answerCount) => {
    if (minutes === null || answerCount < MIN_COUNT_FOR_MINUTES) return null
    const stepMinutes = minutes < 2 * DAY_MINUTES ? HOUR_MINUTES : DAY_MINUTES
    return Math.round(minutes / stepMinutes) * stepMinutes
  },
  isWeekly: true,
}

/** Returns 0.18 for 18 % more, or null where either count is too small. */
export function computeChange(now: Count, before: Count): number | null {
  const current = estimateCount(now)
  const previous = estimateCount(before)
  return Math.min(current, previous) < MIN_COUNT_FOR_SHARE ? null : Math.round((current / previous - 1) * 100) / 100
}
