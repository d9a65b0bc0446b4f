import type { Asked } from '@/lib/api/send'
import type { Day, DayNumbers } from '@/lib/contract/day'
import type { ListCounts } from '@/lib/contract/list-query'
import { isClosed, LISTS_BY_KIND } from '@/lib/contract/lists'
import type { CountsOf, DayOf, Pending } from './pending'
import { type ChangedLead, foldContact, foldLead, foldPage, type PendingState, withFields } from './pending-changes'
import type { LeadFacts } from './undo-steps'

export function pendingOf(state: PendingState): Pending {
  return {
    lead: (kind, item, asked) => foldLead(state, kind, item, asked),
    page: (page) => foldPage(state, page),
    contact: (contact) => foldContact(state, contact),
    counts: (counts, of) => foldCounts(state, counts, of),
    day: (day, of) => foldDay(state, day, of),
  }
}

/** The leads whose changes an answer is too old to have. */
function changedSince({ changes }: PendingState, { askedAt }: Asked): ChangedLead[] {
  return changes.flatMap(({ leads, answeredAt }) => (answeredAt <= askedAt ? [] : [...leads.values()]))
}

/** The numbers beside the filters, with the leads moved from the status that they had to the one that they got. */
export function foldCounts(pending: PendingState, counts: ListCounts & Asked, of: CountsOf): ListCounts {
  const moved = changedSince(pending, counts).filter((lead) => isCounted(lead, of))
  if (moved.every(({ fields }) => fields.status === undefined)) return counts
  const status: Record<string, number> = { ...counts.status }
  for (const { from, fields } of moved) {
    if (fields.status === undefined) continue
    status[from] = Math.max(0, (status[from] ?? 0) - 1)
    status[fields.status] = (status[fields.status] ?? 0) + 1
  }
  return { ...counts, status }
}

/** Of the filter only what a change shows of its lead is looked at. */
function isCounted({ kind, id, item }: ChangedLead, of: CountsOf): boolean {
  const { school = [], id: ids } = of.filter
  const isOfSchool = school.length === 0 || item === undefined || school.includes(item.highSchoolId)
  return kind === of.kind && isOfSchool && (ids === undefined || ids.includes(id))
}

export function foldDay(pending: PendingState, day: Day & Asked, { schools, me }: DayOf): Day {
  const changed = changedSince(pending, day).flatMap(({ kind, item, fields }) =>
    item === undefined || (schools.length > 0 && !schools.includes(item.highSchoolId)) ? [] : [{ kind, item, fields }],
  )
  return changed.reduce<Day>((now, { kind, item, fields }) => {
    const { list } = LISTS_BY_KIND[kind]
    const known = { today: day.season.today, since: Date.parse(day.byList[list].since ?? ''), me }
    const [before, after] = [queuesOf(item, known), queuesOf(withFields(item, fields), known)]
    return (Object.keys(before) as (keyof DayNumbers)[]).reduce((its, name) => {
      return { ...its, [name]: Math.max(0, its[name] + Number(after[name]) - Number(before[name])) }
    }, now)
  }, day)
}

type Known = { today: string; since: number; me: string | null }

/** Which queues a lead is in, as far as a browser can know (`lib/inbox/queues.ts`). */
function queuesOf(item: LeadFacts, { today, since, me }: Known): Record<keyof DayNumbers, boolean> {
  const { waitingSince, due, late, snoozeUntil, seenAt } = item
  const { status, assignee } = item.triage
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
