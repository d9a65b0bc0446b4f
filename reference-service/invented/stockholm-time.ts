const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The clocks in Europe/Stockholm change at 01:00 UTC on the last Sundays of March and October. */
export function clockChanges(year: number): { toSummer: number; toWinter: number } {
  return { toSummer: findLastSunday(year, 2) + hourMs, toWinter: findLastSunday(year, 9) + hourMs }
}

export function stockholmOffsetMs(utcMs: number): number {
  const { toSummer, toWinter } = clockChanges(new Date(utcMs).getUTCFullYear())
  return utcMs >= toSummer && utcMs < toWinter ? 2 * hourMs : hourMs
}

/**
 * Reads the offset an hour before the local time taken as UTC: that is the moment itself in winter, and an hour after it in
 * summer, so it lies on the right side of a clock change.
 */
export function stockholmToUtc(localMs: number): number {
  return localMs - stockholmOffsetMs(localMs - hourMs)
}

function findLastSunday(year: number, month: number): number {
  const lastDay = new Date(Date.UTC(year, month + 1, 0))
  return lastDay.getTime() - lastDay.getUTCDay() * dayMs
}
