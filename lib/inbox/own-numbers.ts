import type { WithRequestTime } from '@/lib/api/send'
import type { Day, DayNumbers } from '@/lib/contract/day'
import { isClosed, LISTS_BY_KIND } from '@/lib/contract/lists'
import { findNewerChanges, type LeadFacts, type OwnChanges, withFields } from './own-changes'

/** `schools`: those that the day counts, or none for all; `me`: the user's id. */
export type CountedDay = { schools: readonly string[]; userId: string | null }

/** The numbers of the day, with the user's leads moved between the queues. */
export function patchDay(ownChanges: OwnChanges, day: Day & WithRequestTime, { schools, userId: me }: CountedDay): Day {
  return findNewerChanges(ownChanges, day).reduce<Day>((numbers, { kind, before, fields }) => {
    if (before === null || (schools.length > 0 && !schools.includes(before.highSchoolId))) return numbers
    const known = { today: day.season.today, since: Date.parse(day.byList[LISTS_BY_KIND[kind].list].since ?? ''), me }
    const [was, is] = [findQueues(before, known), findQueues(withFields(before, fields), known)]
    const names = Object.keys(was) as (keyof DayNumbers)[]
    const moved = names.map((name) => [name, Math.max(0, numbers[name] + Number(is[name]) - Number(was[name]))])
    return { ...numbers, ...(Object.fromEntries(moved) as DayNumbers) }
  }, day)
}

type QueueContext = { today: string; since: number; me: string | null }

/** Which queues a lead is in, as far as a browser can know it (`lib/inbox/queues.ts`). */
function findQueues(lead: LeadFacts, { today, since, me }: QueueContext): Record<keyof DayNumbers, boolean> {
  const { waitingSince, due, late, snoozeUntil, seenAt } = lead
  const { status, assignee } = lead.triage
  const [isOpen, waiting] = [!isClosed(status), waitingSince !== null]
  const snoozed = isOpen && snoozeUntil !== null && snoozeUntil > today
  return {
    waiting,
    late,
    dueToday: waiting && due === today,
    unassigned: waiting && assignee === null,
    mine: isOpen && !snoozed && assignee !== null && assignee.id === me,
    followUps: isOpen && snoozeUntil !== null && !snoozed,
    snoozed,
    new: status === 'new' && !snoozed && Date.parse(seenAt) > since,
  }
}
