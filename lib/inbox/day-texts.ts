import { HOUR_MS } from '@/lib/time/durations'
import { toStockholmClock } from '@/lib/time/stockholm'

export function chooseGreeting(ms: number): 'morning' | 'day' | 'evening' {
  const hour = Math.floor(toStockholmClock(ms) / HOUR_MS) % 24
  if (hour >= 5 && hour < 10) return 'morning'
  return hour >= 17 ? 'evening' : 'day'
}

export function toFirstName(name: string): string {
  return name.trim().split(/[\s@]/)[0] ?? ''
}

/** Splits into hours and minutes below ten hours, into whole hours below two days, else into whole days. */
export function splitDuration(minutes: number): { days: number; hours: number; minutes: number } {
  const hours = Math.floor(minutes / 60)
  if (hours < 10) return { days: 0, hours, minutes: minutes % 60 }
  if (hours < 48) return { days: 0, hours: Math.round(minutes / 60), minutes: 0 }
  return { days: Math.round(hours / 24), hours: 0, minutes: 0 }
}
