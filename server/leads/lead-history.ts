import 'server-only'
import type { Services } from '@/server/base/services'
import { and, desc, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import type { ActivityAction } from '@/lib/contract/activity-actions'
import { attemptChannelSchema, attemptOutcomeSchema, type LeadRef } from '@/lib/contract/lead'
import type { LeadEvent } from '@/lib/contract/notes'
import type { Reader } from '@/server/access/viewer'
import { activity } from '@/server/base/schema'
import { schoolOfShownLead } from './select-leads'
import { triageDetailsSchema } from './write-triage'
import { userNames } from '@/server/access/users'

/** Oldest first; what was taken back is marked. */
export async function leadHistory(services: Services, viewer: Reader, lead: LeadRef) {
  await schoolOfShownLead(services, viewer, lead)
  const db = await services.connect()
  const isAbout = and(eq(activity.leadKind, lead.kind), eq(activity.leadId, lead.id), inArray(activity.action, SHOWN))
  const rows = await db.select().from(activity).where(isAbout).orderBy(desc(activity.id)).limit(MAX_ENTRIES)
  const erased = rows.findIndex(({ action }) => action === 'data-erased')
  const shown = erased === -1 ? rows : rows.slice(0, erased)
  const events = withUndone(shown.reverse().flatMap(historyEventsOf))
  const people = events.flatMap(({ userId, event }) => [userId, 'toId' in event ? event.toId : null])
  const names = await userNames(db, people)
  const person = (id: string | null) => (id !== null && names.has(id) ? { id, name: names.get(id) ?? '' } : null)
  return {
    events: events.map(({ at, userId, event }): LeadEvent => {
      const done = { at: at.toISOString(), by: person(userId) }
      if (event.what !== 'assignee') return { ...event, ...done }
      const { toId, ...rest } = event
      return { ...rest, to: toId === null ? null : { id: toId, name: names.get(toId) ?? '' }, ...done }
    }),
  }
}

const MAX_ENTRIES = 500
const SHOWN: ActivityAction[] = [
  'triage-changed',
  'triage-undone',
  'attempt-logged',
  'attempt-undone',
  'note-added',
  'note-deleted',
  // Everything before an erasure is hidden.
  'data-erased',
]

type Row = Pick<typeof activity.$inferSelect, 'at' | 'userId' | 'action' | 'details'>

type Plain = LeadEvent extends infer Event ? (Event extends LeadEvent ? Omit<Event, 'at' | 'by'> : never) : never
/** As logged: the assignee by id alone. */
type Logged = Exclude<Plain, { what: 'assignee' }> | { what: 'assignee'; toId: string | null; undone?: true }
type HistoryEvent = {
  at: Date
  userId: string | null
  event: Logged
  /** Equal for a change and its undo. */
  key: string
  isUndo: boolean
}

function historyEventsOf({ at, userId, action, details }: Row): HistoryEvent[] {
  const done = (event: Logged, key: string, isUndo = false): HistoryEvent => ({ at, userId, event, key, isUndo })
  if (action.startsWith('note-')) {
    const { data } = noteSchema.safeParse(details)
    const what = action === 'note-added' ? 'note' : 'note-deleted'
    return data ? [done({ what, noteId: data.note }, `note ${data.note}`, what === 'note-deleted')] : []
  }
  if (action.startsWith('attempt-')) {
    const { data } = attemptSchema.safeParse(details)
    if (data === undefined) return []
    const { attempt, channel = 'other', outcome = 'sent' } = data
    return [done({ what: 'attempt', channel, outcome }, `attempt ${attempt}`, action === 'attempt-undone')]
  }
  const { data } = triageDetailsSchema.safeParse(details)
  if (data === undefined) return []
  const { from, to, assignee, assigneeBefore, snoozeUntil = null, snoozeBefore } = data
  const isUndo = action === 'triage-undone'
  // An undo is the same change in the other direction.
  const transition = (what: string, before: unknown, after: unknown) =>
    JSON.stringify(isUndo ? [what, after, before] : [what, before, after])
  const changes: HistoryEvent[] = []
  const add = (event: Logged, before: unknown, after: unknown) =>
    changes.push(done(event, transition(event.what, before, after), isUndo))
  if (from !== to) add({ what: 'status', from, to }, from, to)
  if (assigneeBefore !== undefined) add({ what: 'assignee', toId: assignee }, assigneeBefore, assignee)
  if (snoozeBefore !== undefined) add({ what: 'snooze', until: snoozeUntil }, snoozeBefore, snoozeUntil)
  return changes
}

const noteSchema = z.object({ note: z.string() })
const attemptSchema = z.object({
  attempt: z.number(),
  channel: attemptChannelSchema.optional(),
  outcome: attemptOutcomeSchema.optional(),
})

/** Marks the latest matching change as undone; the undo itself is left out, unless it removed a note. */
function withUndone(all: readonly HistoryEvent[]): HistoryEvent[] {
  const kept: HistoryEvent[] = []
  for (const one of all) {
    const at = one.isUndo ? kept.findLastIndex(({ key, event }) => key === one.key && !('undone' in event)) : -1
    const undone = kept[at]
    if (one.event.what === 'note-deleted') kept.push(one)
    else if (undone !== undefined) kept[at] = { ...undone, event: { ...undone.event, undone: true } as Logged }
    // The change is older than what was read.
    else if (!one.isUndo || one.event.what !== 'attempt') kept.push(one)
  }
  return kept
}
