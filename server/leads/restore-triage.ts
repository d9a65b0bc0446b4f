import 'server-only'
import type { Services } from '@/server/base/services'
import { setImmediate } from 'node:timers/promises'
import { and, between, eq, gt, inArray, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { LeadRef } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import { command } from '@/server/access/command'
import type { Viewer } from '@/server/access/viewer'
import type { Db } from '@/server/base/database'
import { activity } from '@/server/base/schema'
import type { Seal } from '@/server/base/seal'
import {
  LEADS_AT_ONCE,
  lockTriage,
  type LoggedBatch,
  type LogRange,
  triageDetailsSchema,
  triageOfLead,
  type WriteAs,
  writeTriage,
} from './write-triage'

export const UNDOABLE_MS = 24 * 3_600_000

/** Names a batch by its range in the activity log; sealed, so that only the same user can use it. */
export const undoToken = {
  make: (seal: Seal, userId: string, logged: LoggedBatch | null, attempt: NamedAttempt | null = null) => {
    const batch = logged && `${logged.first}-${logged.last}-${logged.at.getTime()}`
    const tried = attempt && `a${attempt.id}-${attempt.at.getTime()}`
    return seal.encrypt([batch, tried].filter((part) => part !== null).join(' '), placeOf(userId))
  },
  read: (seal: Seal, userId: string, token: string): Named | null => {
    const match = TOKEN.exec(seal.decrypt(token, placeOf(userId)) ?? '')
    if (match === null) return null
    const [, first, last, at, id, triedAt] = match
    return {
      logged: at === undefined ? null : { first: Number(first), last: Number(last), at: new Date(Number(at)) },
      attempt: id === undefined ? null : { id: Number(id), at: new Date(Number(triedAt)) },
    }
  },
}

const TOKEN = /^(?=.)(?:(\d{1,15})-(\d{1,15})-(\d{1,15}))? ?(?:a(\d{1,15})-(\d{1,15}))?$/

type NamedAttempt = { id: number; at: Date }
type Named = { logged: LoggedBatch | null; attempt: NamedAttempt | null }

const placeOf = (userId: string) => `undo ${userId}`

type IsInReach = (lead: LeadRef) => boolean
export type Restored = { restored: LeadRef[]; conflicts: number }

/** In one transaction, like the change. Later changes stay. */
export async function restoreLogged(
  services: Services,
  viewer: Viewer,
  logged: LoggedBatch,
  isInReach: IsInReach,
): Promise<Restored> {
  return command(services, viewer, 'leads:triage', async (tx, log) => {
    await lockTriage(tx, viewer, logged.last > logged.first ? 'many' : 'one')
    const at = new Date()
    const all: Restored = { restored: [], conflicts: 0 }
    for (let { first } = logged; first <= logged.last; first += LEADS_AT_ONCE) {
      const range = { first, last: Math.min(logged.last, first + LEADS_AT_ONCE - 1) }
      const changes = await changesLogged(tx, viewer.id, logged.at, range)
      const restored = await restoreSome(
        tx,
        { userId: viewer.id, at, action: 'triage-undone' },
        changes.filter((one) => one.revision !== null && isInReach(one)),
      )
      all.conflicts += changes.length - restored.length
      for (const lead of restored) all.restored.push(lead)
      await setImmediate()
    }
    if (all.restored.length === 0) log.nothing()
    else log.written()
    return all
  })
}

async function restoreSome(tx: Db, as: Omit<WriteAs, 'kind'>, changes: readonly LoggedChange[]): Promise<LeadRef[]> {
  const restored: LeadRef[] = []
  for (const kind of LEAD_KINDS) {
    const ofKind = changes.filter((one) => one.kind === kind)
    const undone = ofKind.map(({ id, revision, details }) => ({ id, revision, ...beforeAndAfter(details) }))
    const { missed } = await writeTriage(tx, { ...as, kind }, undone)
    for (const { id } of ofKind) if (!missed.has(id)) restored.push({ kind, id })
  }
  return restored
}

/** `revision`: of the row as this change left it, null where somebody has changed it since. */
type LoggedChange = LeadRef & {
  details: z.infer<typeof triageDetailsSchema>
  revision: number | null
}

/** By the range alone, so that each part costs the same; equal leads are grouped into a row. */
async function changesLogged(tx: Db, userId: string, batchAt: Date, { first, last }: LogRange) {
  const moment = sql`${batchAt.toISOString()}::timestamptz`
  const currentTriage = triageOfLead(tx, activity.leadKind, activity.leadId)
  const entries = tx
    .select({
      kind: activity.leadKind,
      leadId: activity.leadId,
      details: activity.details,
      isOfBatch: sql<boolean>`${activity.userId} = ${userId} and ${activity.action} = 'triage-changed'
        and ${activity.at} = ${moment}`.as('is_of_batch'),
      revision: sql<number | null>`case when ${currentTriage.status} = ${activity.details} ->> 'to'
        and ${currentTriage.assigneeId} is not distinct from ${activity.details} ->> 'assignee'
        and ${currentTriage.updatedBy} = ${userId}
        and (${currentTriage.updatedAt} = ${moment} or (${isTakenBackSince(tx, userId)})) then ${currentTriage.revision} end`.as(
        'still',
      ),
    })
    .from(activity)
    .leftJoinLateral(currentTriage, sql`true`)
    .where(between(activity.id, first, last))
    .as('entries')
  const { kind, details, isOfBatch } = entries
  const leads = sql<
    [string | null, number | null][]
  >`json_agg(json_build_array(${entries.leadId}, ${entries.revision}))`
  const alike = await tx.select({ kind, details, isOfBatch, leads }).from(entries).groupBy(kind, details, isOfBatch)
  return alike.flatMap((one) => {
    if (!one.isOfBatch || one.kind === null) return []
    const change = { kind: one.kind, details: triageDetailsSchema.parse(one.details) }
    return one.leads.flatMap(([id, revision]): LoggedChange[] => (id === null ? [] : [{ ...change, id, revision }]))
  })
}

/** Whether all later changes were this user's own, and have been undone again in order. */
function isTakenBackSince(tx: Db, userId: string) {
  const later = alias(activity, 'later')
  const isChange = sql`${later.action} = 'triage-changed'`
  return tx
    .select({
      is: sql`bool_and(${later.userId} is not distinct from ${userId}) and sum(case when ${isChange} then 1 else -1 end) = 0
        and (array_agg(${isChange} order by ${later.id}))[1]`,
    })
    .from(later)
    .where(
      and(
        eq(later.leadKind, activity.leadKind),
        eq(later.leadId, activity.leadId),
        gt(later.id, activity.id),
        inArray(later.action, ['triage-changed', 'triage-undone']),
      ),
    )
    .getSQL()
}

function beforeAndAfter({ from, to, assignee, assigneeBefore = assignee, ...snooze }: LoggedChange['details']) {
  const { snoozeUntil = null, snoozeBefore = snoozeUntil } = snooze
  return {
    before: { status: to, assigneeId: assignee, snoozeUntil },
    after: { status: from, assigneeId: assigneeBefore, snoozeUntil: snoozeBefore },
  }
}
