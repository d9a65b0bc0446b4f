import 'server-only'
import { and, desc, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import type { ActivityAction } from '@/lib/contract/activity-actions'
import { attemptChannelSchema, attemptOutcomeSchema, type LeadRef } from '@/lib/contract/lead'
import type { LeadHistoryEvent } from '@/lib/contract/notes'
import { findUserNames } from '@/server/access/users'
import type { Reader } from '@/server/access/viewer'
import { activity } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import { requireLead } from './select-leads'
import { triageDetailsSchema } from './write-triage'

/** Returns what happened to a lead, oldest first. Changes that were undone are marked. */
export async function getLeadHistory(services: Services, viewer: Reader, lead: LeadRef) {
  await requireLead(services, viewer, lead)
  const db = await services.connect()
  const ofLead = and(eq(activity.leadKind, lead.kind), eq(activity.leadId, lead.id), inArray(activity.action, ACTIONS))
  const rows = await db.select().from(activity).where(ofLead).orderBy(desc(activity.id)).limit(MAX_ENTRIES)
  const erased = rows.findIndex(({ action }) => action === 'data-erased')
  const visible = erased === -1 ? rows : rows.slice(0, erased)
  const events: HistoryEvent[] = []
  for (const entry of visible.reverse().flatMap(readEvents)) {
    // An undo marks the latest equal change and is left out itself. A deletion of a note always stays.
    const isChange = ({ key, event }: HistoryEvent) => key === entry.key && !('undone' in event)
    const index = entry.isUndo ? events.findLastIndex(isChange) : -1
    const undone = events[index]
    if (entry.event.what === 'note-deleted') events.push(entry)
    else if (undone !== undefined)
      events[index] = { ...undone, event: { ...undone.event, undone: true } as LeadHistoryEvent }
    // The change itself is older than the entries read, so its undo stays alone.
    else if (!entry.isUndo || entry.event.what !== 'attempt') events.push(entry)
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
const ACTIONS: ActivityAction[] = [
  'triage-changed',
  'triage-undone',
  'attempt-logged',
  'attempt-undone',
  'note-added',
  'note-deleted',
  // Everything before an erasure is hidden.
  'data-erased',
]

/** The persons of `event` have no names yet. A change and its undo have the same `key`. */
type HistoryEvent = { event: LeadHistoryEvent; key: string; isUndo: boolean }

function readEvents({ at, userId, action, details }: typeof activity.$inferSelect): HistoryEvent[] {
  const toUnnamedPerson = (id: string | null) => (id === null ? null : { id, name: '' })
  const logged = { at: at.toISOString(), by: toUnnamedPerson(userId) }
  if (action.startsWith('note-')) {
    const { data } = noteDetailsSchema.safeParse(details)
    if (data === undefined) return []
    const isUndo = action === 'note-deleted'
    const event = { what: isUndo ? ('note-deleted' as const) : ('note' as const), noteId: data.note, ...logged }
    return [{ event, key: `note ${data.note}`, isUndo }]
  }
  if (action.startsWith('attempt-')) {
    const { data } = attemptDetailsSchema.safeParse(details)
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
    add({ what: 'assignee', to: toUnnamedPerson(assignee), ...logged }, assigneeBefore, assignee)
  if (snoozeBefore !== undefined) add({ what: 'snooze', until, ...logged }, snoozeBefore, until)
  return changes
}

const noteDetailsSchema = z.object({ note: z.string() })
const attemptDetailsSchema = z.object({
  attempt: z.number(),
  channel: attemptChannelSchema.optional(),
  outcome: attemptOutcomeSchema.optional(),
})
