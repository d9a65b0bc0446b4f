import { and, desc, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import type { ActivityAction } from '@/lib/contract/activity-actions'
import { attemptChannelSchema, attemptOutcomeSchema, type LeadRef } from '@/lib/contract/lead'
import type { LeadHistoryEvent } from '@/lib/contract/notes'
import { findUserNames } from '@/server/access/users'
import type { Reader } from '@/server/access/viewer'
import { activity } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import { requireLead } from './lead-tables'
import { triageDetailsSchema } from './triage-rows'
import { toPerson, type UserNames } from './user-names'

const MAX_ENTRIES = 500
const LISTED_ACTIONS: ActivityAction[] = [
  'triage-changed',
  'triage-undone',
  'attempt-logged',
  'attempt-undone',
  'note-added',
  'note-deleted',
  'data-erased',
]

/** Returns what happened to a lead, oldest first. Changes that were undone are marked. */
export async function getLeadHistory(services: Services, viewer: Reader, lead: LeadRef) {
  await requireLead(services, viewer, lead)
  const db = await services.connect()
  const isListed = and(
    eq(activity.leadKind, lead.kind),
    eq(activity.leadId, lead.id),
    inArray(activity.action, LISTED_ACTIONS),
  )
  const rows = await db.select().from(activity).where(isListed).orderBy(desc(activity.id)).limit(MAX_ENTRIES)
  // Nothing from before an erasure is shown.
  const erasureIndex = rows.findIndex(({ action }) => action === 'data-erased')
  const visibleRows = erasureIndex === -1 ? rows : rows.slice(0, erasureIndex)
  const names = await findUserNames(db, visibleRows.flatMap(findUserIds))
  const changes: LoggedChange[] = []
  for (const change of visibleRows.toReversed().flatMap((row) => readChanges(row, names))) {
    // An undo marks the latest change of its key that is not undone yet, instead of being listed.
    const undoneChange = changes.findLast(({ key, event }) => key === change.key && !event.undone)
    if (!change.isUndo) changes.push(change)
    else if (undoneChange !== undefined) undoneChange.event.undone = true
  }
  return { events: changes.map(({ event }) => event) }
}

type ActivityRow = typeof activity.$inferSelect
/** A change and its undo have the same `key`. */
type LoggedChange = { event: LeadHistoryEvent & { undone?: true }; key: string; isUndo: boolean }

const noteDetailsSchema = z.object({ note: z.string() })
const attemptDetailsSchema = z.object({
  attempt: z.number(),
  channel: attemptChannelSchema.optional(),
  outcome: attemptOutcomeSchema.optional(),
})

function findUserIds({ userId, details }: ActivityRow): (string | null)[] {
  const assignee = details?.['assignee']
  return typeof assignee === 'string' ? [userId, assignee] : [userId]
}

function readChanges({ loggedAt, userId, action, details }: ActivityRow, names: UserNames): LoggedChange[] {
  const author = toPerson(userId, names)
  // A user whose account is gone has no name.
  const authorship = { at: loggedAt.toISOString(), by: author?.name === '' ? null : author }
  if (action.startsWith('note-')) {
    const { data } = noteDetailsSchema.safeParse(details)
    if (data === undefined) return []
    const kind = action === 'note-deleted' ? 'note-deleted' : 'note'
    return [{ event: { kind, noteId: data.note, ...authorship }, key: data.note, isUndo: false }]
  }
  const isUndo = action.endsWith('-undone')
  if (action.startsWith('attempt-')) {
    const { data } = attemptDetailsSchema.safeParse(details)
    if (data === undefined) return []
    const { attempt, channel = 'other', outcome = 'sent' } = data
    return [{ event: { kind: 'attempt', channel, outcome, ...authorship }, key: `attempt ${attempt}`, isUndo }]
  }
  const { data } = triageDetailsSchema.safeParse(details)
  if (data === undefined) return []
  const { from, to, assignee, assigneeBefore, snoozeUntil: until = null, snoozeBefore } = data
  const changes: LoggedChange[] = []
  const addChange = (event: LeadHistoryEvent, before: string | null, after: string | null) => {
    // An undo is logged as the same change in the other direction.
    const values = isUndo ? [after, before] : [before, after]
    changes.push({ event, key: JSON.stringify([event.kind, ...values]), isUndo })
  }
  if (from !== to) addChange({ kind: 'status', from, to, ...authorship }, from, to)
  if (assigneeBefore !== undefined)
    addChange({ kind: 'assignee', to: toPerson(assignee, names), ...authorship }, assigneeBefore, assignee)
  if (snoozeBefore !== undefined) addChange({ kind: 'snooze', until, ...authorship }, snoozeBefore, until)
  return changes
}
