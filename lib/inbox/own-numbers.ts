import type { Asked } from '@/lib/api/send'
import type { Day, DayNumbers } from '@/lib/contract/day'
import type { LeadKind } from '@/lib/contract/lead'
import type { LeadFilter, ListCounts } from '@/lib/contract/list-query'
import { isClosed, LISTS_BY_KIND } from '@/lib/contract/lists'
import { changesSince, type LeadFacts, type OwnChanges, withFields } from './own-changes'

export type CountedList = { kind: LeadKind; filter: LeadFilter }

/**
 * The numbers beside the filters, with the user's leads moved from the status that they had to the one that they got. Of the
 * filter only school and id are compared; what a lead was that is not loaded is not known.
 */
export function foldCounts(own: OwnChanges, counts: ListCounts & Asked, { kind, filter }: CountedList): ListCounts {
  const { school = [], id: ids } = filter
  const status: Record<string, number> = { ...counts.status }
  let isMoved = false
  for (const lead of changesSince(own, counts)) {
    const isOfSchool = school.length === 0 || lead.before === null || school.includes(lead.before.highSchoolId)
    const isCounted = lead.kind === kind && isOfSchool && (ids === undefined || ids.includes(lead.id))
    const [from, to] = [lead.before?.triage.status, lead.fields.status]
    if (!isCounted || from === undefined || to === undefined) continue
    status[from] = Math.max(0, (status[from] ?? 0) - 1)
    status[to] = (status[to] ?? 0) + 1
    isMoved = true
  }
  return isMoved ? { ...counts, status } : counts
}

/** `schools`: those that the day counts, or none for all; `me`: the user's id. */
export type CountedDay = { schools: readonly string[]; me: string | null }

/** The numbers of the day, with the user's leads moved between the queues. */
export function foldDay(own: OwnChanges, day: Day & Asked, { schools, me }: CountedDay): Day {
  return changesSince(own, day).reduce<Day>((numbers, { kind, before, fields }) => {
    if (before === null || (schools.length > 0 && !schools.includes(before.highSchoolId))) return numbers
    const known = { today: day.season.today, since: Date.parse(day.byList[LISTS_BY_KIND[kind].list].since ?? ''), me }
    const [was, is] = [queuesWith(before, known), queuesWith(withFields(before, fields), known)]
    const names = Object.keys(was) as (keyof DayNumbers)[]
    const moved = names.map((name) => [name, Math.max(0, numbers[name] + Number(is[name]) - Number(was[name]))])
    return { ...numbers, ...(Object.fromEntries(moved) as DayNumbers) }
  }, day)
}

type Known = { today: string; since: number; me: string | null }

/** Which queues a lead is in, as far as a browser can know (`lib/inbox/queues.ts`). */
function queuesWith(lead: LeadFacts, { today, since, me }: Known): Record<keyof DayNumbers, boolean> {
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
