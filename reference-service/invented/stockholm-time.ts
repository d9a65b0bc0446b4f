const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** When the clocks of a year change in Europe/Stockholm: at 01:00 UTC on the last Sundays of March and October. */
export function clockChanges(year: number): { toSummer: number; toWinter: number } {
  return { toSummer: lastSundayOf(year, 2) + hourMs, toWinter: lastSundayOf(year, 9) + hourMs }
}

export function stockholmOffsetMs(utcMs: number): number {
  const { toSummer, toWinter } = clockChanges(new Date(utcMs).getUTCFullYear())
  return utcMs >= toSummer && utcMs < toWinter ? 2 * hourMs : hourMs
}

/** An hour before the local time, read as UTC, is the moment itself in winter, and an hour after it in summer. */
export function stockholmToUtc(localMs: number): number {
  return localMs - stockholmOffsetMs(localMs - hourMs)
}

function lastSundayOf(year: number, month: number): number {
  const lastDay = new Date(Date.UTC(year, month + 1, 0))
  return lastDay.getTime() - lastDay.getUTCDay() * dayMs
}
