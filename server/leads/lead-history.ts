import 'server-only'
import type { Services } from '@/server/base/services'
import { and, desc, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import type { ActivityAction } from '@/lib/contract/activity-actions'
import { attemptChannelSchema, attemptOutcomeSchema, type LeadRef } from '@/lib/contract/lead'
import type { LeadHistoryEvent } from '@/lib/contract/notes'
import type { Reader } from '@/server/access/viewer'
import { activity } from '@/server/base/schema'
import { requireLeadSchool } from './select-leads'
import { triageDetailsSchema } from './write-triage'
import { findUserNames } from '@/server/access/users'

/** Oldest first; what was taken back is marked. */
export async function getLeadHistory(services: Services, viewer: Reader, lead: LeadRef) {
  await requireLeadSchool(services, viewer, lead)
  const db = await services.connect()
  const isAbout = and(eq(activity.leadKind, lead.kind), eq(activity.leadId, lead.id), inArray(activity.action, SHOWN))
  const rows = await db.select().from(activity).where(isAbout).orderBy(desc(activity.id)).limit(MAX_ENTRIES)
  const erased = rows.findIndex(({ action }) => action === 'data-erased')
  const visible = erased === -1 ? rows : rows.slice(0, erased)
  const events: HistoryEvent[] = []
  for (const one of visible.reverse().flatMap(readEvents)) {
    // An undo marks the latest change like it, and is left out itself, unless it removed a note.
    const isChange = ({ key, event }: HistoryEvent) => key === one.key && !('undone' in event)
    const place = one.isUndo ? events.findLastIndex(isChange) : -1
    const undone = events[place]
    if (one.event.what === 'note-deleted') events.push(one)
    else if (undone !== undefined)
      events[place] = { ...undone, event: { ...undone.event, undone: true } as LeadHistoryEvent }
    // The change is older than what was read.
    else if (!one.isUndo || one.event.what !== 'attempt') events.push(one)
  }
  const people = events.flatMap(({ event }) => [event.by, event.what === 'assignee' ? event.to : null])
  const ids = people.map((person) => person?.id ?? null)
  const names = await findUserNames(db, ids)
  const withName = ({ id }: { id: string }) => ({ id, name: names.get(id) ?? '' })
  return {
    events: events.map(({ event }): LeadHistoryEvent => {
      const by = event.by && names.has(event.by.id) ? withName(event.by) : null
      return event.what === 'assignee' ? { ...event, by, to: event.to && withName(event.to) } : { ...event, by }
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

/** Names are added later. `key` is equal for a change and its undo. */
type HistoryEvent = { event: LeadHistoryEvent; key: string; isUndo: boolean }

function readEvents({ at, userId, action, details }: typeof activity.$inferSelect): HistoryEvent[] {
  const nameless = (id: string | null) => (id === null ? null : { id, name: '' })
  const logged = { at: at.toISOString(), by: nameless(userId) }
  if (action.startsWith('note-')) {
    const { data } = noteSchema.safeParse(details)
    if (data === undefined) return []
    const isUndo = action === 'note-deleted'
    const event = { what: isUndo ? ('note-deleted' as const) : ('note' as const), noteId: data.note, ...logged }
    return [{ event, key: `note ${data.note}`, isUndo }]
  }
  if (action.startsWith('attempt-')) {
    const { data } = attemptSchema.safeParse(details)
    if (data === undefined) return []
    const { attempt, channel = 'other', outcome = 'sent' } = data
    const event = { what: 'attempt' as const, channel, outcome, ...logged }
    return [{ event, key: `attempt ${attempt}`, isUndo: action === 'attempt-undone' }]
  }
  const { data } = triageDetailsSchema.safeParse(details)
  if (data === undefined) return []
  const { from, to, assignee, assigneeBefore, snoozeUntil: until = null, snoozeBefore } = data
  const isUndo = action === 'triage-undone'
  const changes: HistoryEvent[] = []
  const add = (event: LeadHistoryEvent, before: string | null, after: string | null) => {
    // An undo is the same change in the other direction.
    const [first, last] = isUndo ? [after, before] : [before, after]
    changes.push({ event, key: JSON.stringify([event.what, first, last]), isUndo })
  }
  if (from !== to) add({ what: 'status', from, to, ...logged }, from, to)
  if (assigneeBefore !== undefined)
    add({ what: 'assignee', to: nameless(assignee), ...logged }, assigneeBefore, assignee)
  if (snoozeBefore !== undefined) add({ what: 'snooze', until, ...logged }, snoozeBefore, until)
  return changes
}

const noteSchema = z.object({ note: z.string() })
const attemptSchema = z.object({
  attempt: z.number(),
  channel: attemptChannelSchema.optional(),
  outcome: attemptOutcomeSchema.optional(),
})
