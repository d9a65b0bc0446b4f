import type { WithRequestTime } from '@/lib/api/send'
import type { Day } from '@/lib/contract/day'
import { isClosed, LISTS_BY_KIND, type QueueName } from '@/lib/contract/lists'
import { applyFields, isStillSnoozed, type LeadFacts, type OwnChanges } from './own-changes'

/** The day counts the leads of `schools`; without any, those of all schools. */
type DayScope = { schools: readonly string[]; userId: string | null }

/** Adds the user's own changes that the server had not counted when the day was requested. */
export function patchDay(ownChanges: OwnChanges, day: Day & WithRequestTime, { schools, userId }: DayScope): Day {
  const patched = { ...day }
  for (const { kind, before, fields, answer } of ownChanges.changes) {
    const isAlreadyCounted = answer !== null && answer.answeredAt <= day.requestedAt
    if (isAlreadyCounted || before === null || (schools.length > 0 && !schools.includes(before.highSchoolId))) continue
    const { since } = day.byList[LISTS_BY_KIND[kind].list]
    // On a first visit every lead is new.
    const sinceMs = since === null ? -Infinity : Date.parse(since)
    const context = { today: day.season.today, sinceMs, userId }
    const wasInQueue = testQueues(before, context)
    const isInQueue = testQueues(applyFields(before, fields), context)
    for (const queue of Object.keys(isInQueue) as QueueName[])
      patched[queue] = Math.max(0, patched[queue] + Number(isInQueue[queue]) - Number(wasInQueue[queue]))
  }
  return patched
}

type QueueContext = { today: string; sinceMs: number; userId: string | null }

/** Tells for each queue whether a lead is in it. Only the server knows when a lead becomes late or due. */
function testQueues(lead: LeadFacts, { today, sinceMs, userId }: QueueContext) {
  const { waitingSince, due: dueDay, late: isLate, snoozeUntil, seenAt } = lead
  const { status, assignee } = lead.triage
  const isOpen = !isClosed(status)
  const isWaiting = waitingSince !== null
  const isSnoozed = isOpen && isStillSnoozed(snoozeUntil, today)
  return {
    waiting: isWaiting,
    late: isLate,
    dueToday: isWaiting && dueDay === today,
    unassigned: isWaiting && assignee === null,
    mine: isOpen && !isSnoozed && assignee !== null && assignee.id === userId,
    followUps: isOpen && snoozeUntil !== null && !isSnoozed,
    snoozed: isSnoozed,
    new: status === 'new' && !isSnoozed && Date.parse(seenAt) > sinceMs,
  } satisfies Record<QueueName, boolean>
}
