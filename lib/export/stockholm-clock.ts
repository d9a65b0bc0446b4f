const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

/**
 * Answers what Stockholm's clocks show at a moment, as milliseconds that read as UTC. Asks `Intl` once for each day, and for
 * each hour of the two days a year on which the clocks change (at a whole hour UTC); a file has a moment in every row.
 */
export function createStockholmClock(): (ms: number) => number {
  const offsets = new Map<number, number>()
  const offsetAt = (moment: number) => {
    const known = offsets.get(moment)
    if (known !== undefined) return known
    const offset = Date.parse(`${shown.format(moment).replace(' ', 'T')}Z`) - moment
    offsets.set(moment, offset)
    return offset
  }
  return (ms) => {
    const midnight = Math.floor(ms / DAY_MS) * DAY_MS
    const offset = offsetAt(midnight)
    if (offset === offsetAt(midnight + DAY_MS)) return ms + offset
    return ms + offsetAt(Math.floor(ms / HOUR_MS) * HOUR_MS)
  }
}

/** `2026-11-20 08:12`, the way Swedish spreadsheets recognise a moment. */
export function momentText(stockholmMs: number): string {
  return new Date(stockholmMs).toISOString().slice(0, 16).replace('T', ' ')
}

const shown = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Stockholm',
  dateStyle: 'short',
  timeStyle: 'medium',
})
