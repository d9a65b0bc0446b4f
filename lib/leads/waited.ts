import type { LeadWork } from '@/lib/contract/lead'
import { daysSince, epochDay, stockholmDay } from '@/lib/time/stockholm'

export type Waited = {
  days: number
  /** With a goal: its last day (numbered from 1970), and where today is. */
  goal: { day: number; is: 'late' | 'today' | 'by' } | null
}

/** How long a lead has waited for an answer; null where it does not. Days are of the calendar. */
export function waitedOf({ waitingSince, due, late }: LeadWork, nowMs: number): Waited | null {
  if (waitingSince === null || Number.isNaN(Date.parse(waitingSince))) return null
  const days = Math.max(0, daysSince(waitingSince, nowMs))
  if (due === null) return { days, goal: null }
  const is = late ? 'late' : due === stockholmDay(nowMs) ? 'today' : 'by'
  return { days, goal: { day: epochDay(due), is } }
}
