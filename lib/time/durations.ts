export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
/** A day of 24 hours. In Stockholm the days on which the clocks change have 23 or 25. */
export const DAY_MS = 24 * HOUR_MS
