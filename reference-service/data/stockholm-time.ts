const hourMs = 3_600_000

/** When the clocks of a year change in Europe/Stockholm: at 01:00 UTC on the last Sundays of March and October. */
export function clockChanges(year: number): { toSummer: number; toWinter: number } {
  return { toSummer: lastSundayOf(year, 2) + hourMs, toWinter: lastSundayOf(year, 9) + hourMs }
}

/** Milliseconds to add to UTC to read a Stockholm clock. */
export function stockholmOffset(utcMs: number): number {
  const { toSummer, toWinter } = clockChanges(new Date(utcMs).getUTCFullYear())
  return utcMs >= toSummer && utcMs < toWinter ? 2 * hourMs : hourMs
}

/** The moment at which a Stockholm clock shows this; the clock's reading is given as if it were UTC. */
export function fromStockholm(localMs: number): number {
  return localMs - stockholmOffset(localMs - hourMs)
}

function lastSundayOf(year: number, month: number): number {
  const lastDay = new Date(Date.UTC(year, month + 1, 0))
  return lastDay.getTime() - lastDay.getUTCDay() * 24 * hourMs
}
