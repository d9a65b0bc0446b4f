import type { LeadWork } from '@/lib/contract/lead'
import { epochDay, stockholmDay, stockholmEpochDay } from '@/lib/time/stockholm'

export type Waited = {
  /** Whole days in the calendar; 0: since today. */
  days: number
  /** Where there is a goal: its last day (numbered from 1970), and how today stands to it. */
  goal: { day: number; is: 'late' | 'today' | 'by' } | null
}

/** How long somebody has waited for an answer, as one says it; null where nobody does. */
export function waitedOf({ waitingSince, due, late }: LeadWork, nowMs: number): Waited | null {
  const since = Date.parse(waitingSince ?? '')
  if (Number.isNaN(since)) return null
  const days = Math.max(0, stockholmEpochDay(nowMs) - stockholmEpochDay(since))
  if (due === null) return { days, goal: null }
  const is = late ? 'late' : due === stockholmDay(nowMs) ? 'today' : 'by'
  return { days, goal: { day: epochDay(due), is } }
}
