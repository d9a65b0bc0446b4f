import type { WithRequestTime } from '@/lib/api/send'
import type { Day, DayNumbers } from '@/lib/contract/day'
import { isClosed, LISTS_BY_KIND } from '@/lib/contract/lists'
import { findNewerChanges, type LeadFacts, type OwnChanges, withFields } from './own-changes'

/** `schools` are those that the day counts, or empty for all. */
export type CountedDay = { schools: readonly string[]; userId: string | null }

/** Returns the day's numbers with the leads of the user's own changes moved between the queues. */
export function patchDay(ownChanges: OwnChanges, day: Day & WithRequestTime, { schools, userId }: CountedDay): Day {
  return findNewerChanges(ownChanges, day).reduce<Day>((numbers, { kind, before, fields }) => {
    if (before === null || (schools.length > 0 && !schools.includes(before.highSchoolId))) return numbers
    const { since } = day.byList[LISTS_BY_KIND[kind].list]
    // On a first visit every lead is new.
    const sinceMs = since === null ? -Infinity : Date.parse(since)
    const context = { today: day.season.today, sinceMs, userId }
    const [old, next] = [findQueues(before, context), findQueues(withFields(before, fields), context)]
    const names = Object.keys(old) as (keyof DayNumbers)[]
    const moved = names.map((name) => [name, Math.max(0, numbers[name] + Number(next[name]) - Number(old[name]))])
    return { ...numbers, ...(Object.fromEntries(moved) as DayNumbers) }
  }, day)
}

type QueueContext = { today: string; sinceMs: number; userId: string | null }

/** Tells which queues a lead is in, as far as a browser can know it (`lib/inbox/queues.ts`). */
function findQueues(lead: LeadFacts, { today, sinceMs, userId }: QueueContext): Record<keyof DayNumbers, boolean> {
  const { waitingSince, due, late, snoozeUntil, seenAt } = lead
  const { status, assignee } = lead.triage
  const [isOpen, waiting] = [!isClosed(status), waitingSince !== null]
  const snoozed = isOpen && snoozeUntil !== null && snoozeUntil > today
  return {
    waiting,
    late,
    dueToday: waiting && due === today,
    unassigned: waiting && assignee === null,
    mine: isOpen && !snoozed && assignee !== null && assignee.id === userId,
    followUps: isOpen && snoozeUntil !== null && !snoozed,
    snoozed,
    new: status === 'new' && !snoozed && Date.parse(seenAt) > sinceMs,
  }
}
