const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The clocks in Europe/Stockholm change at 01:00 UTC on the last Sundays of March and October. */
export function clockChanges(year: number): { toSummer: number; toWinter: number } {
  return { toSummer: findLastSunday(year, 2) + HOUR_MS, toWinter: findLastSunday(year, 9) + HOUR_MS }
}

export function stockholmOffsetMs(utcMs: number): number {
  const { toSummer, toWinter } = clockChanges(new Date(utcMs).getUTCFullYear())
  return utcMs >= toSummer && utcMs < toWinter ? 2 * HOUR_MS : HOUR_MS
}

/** Converts a local time, given as if it were UTC. The hour before is always on the same side of a clock change. */
export function stockholmToUtc(localMs: number): number {
  return localMs - stockholmOffsetMs(localMs - HOUR_MS)
}

function findLastSunday(year: number, month: number): number {
  const lastDay = new Date(Date.UTC(year, month + 1, 0))
  return lastDay.getTime() - lastDay.getUTCDay() * DAY_MS
}
