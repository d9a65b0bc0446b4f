const zone = 'Europe/Stockholm'
const day = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' })
const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })

/** The calendar day in Stockholm, `yyyy-MM-dd`, of a moment in milliseconds since the epoch. */
export function stockholmDay(ms: number): string {
  return day.format(ms)
}

/** The first millisecond of a day in Stockholm; also right when the clock changes that night. */
export function stockholmDayStart(dayText: string): number {
  const utcMidnight = Date.parse(`${dayText}T00:00:00Z`)
  const guess = utcMidnight - offsetMs(utcMidnight)
  return utcMidnight - offsetMs(guess)
}

/** `days` calendar days later (or earlier): days of 23 and 25 hours count as one. */
export function addDays(dayText: string, days: number): string {
  return new Date(Date.parse(`${dayText}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

/** How far Stockholm's clocks are ahead of UTC at a moment. */
function offsetMs(ms: number): number {
  const wholeSecond = Math.floor(ms / 1000) * 1000
  return Date.parse(`${clock.format(wholeSecond).replace(' ', 'T')}Z`) - wholeSecond
}
