import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { and, asc, between, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { type LeadKind, leadKindSchema, type LeadRef, leadStatusSchema } from '@/lib/contract/lead'
import type { Db } from '@/server/db/db'
import { activity, triage } from '@/server/db/schema'
import { lockTriage } from './lock-triage'
import { writeTriage } from './write-triage'

/** Where the activity log has a batch: between two places, all of one moment. */
export type LoggedBatch = { first: number; last: number; at: Date }
export type Batch = LoggedBatch & {
  userId: string
  /** Older changes stay. */
  since: Date
  isInReach: (lead: LeadRef) => boolean
}
export type Restored = { restored: LeadRef[]; conflicts: number }

const PLACES_AT_ONCE = 250

/**
 * Puts back what stood before each change of the batch, where the change still stands. Part by part, each in a transaction
 * of its own; what fails in the middle can be called again, and goes on where it stopped.
 */
export async function restoreBatch(db: Db, batch: Batch): Promise<Restored> {
  const at = new Date()
  const restored: LeadRef[] = []
  let total = 0
  for (let first = batch.first; first <= batch.last; first += PLACES_AT_ONCE) {
    const last = Math.min(batch.last, first + PLACES_AT_ONCE - 1)
    const part = await db.transaction((tx) => restorePart(tx, batch, { first, last, at }))
    total += part.logged
    restored.push(...part.restored)
    await setImmediate()
  }
  return { restored, conflicts: total - restored.length }
}

async function restorePart(tx: Db, batch: Batch, { first, last, at }: LoggedBatch) {
  await lockTriage(tx)
  const logged = await loggedFrom(tx, batch, first, last)
  const standing = logged.filter((one) => isStanding(one, batch.userId)).filter((one) => batch.isInReach(refOf(one)))
  await restore(tx, batch.userId, at, standing)
  return { logged: logged.length, restored: standing.map(refOf) }
}

type LoggedRow = typeof activity.$inferSelect
type TriageRow = typeof triage.$inferSelect
type Logged = Awaited<ReturnType<typeof loggedFrom>>[number]
type Standing = Logged & { now: TriageRow }

/**
 * What was logged in some places, beside the triage as it is now. By places alone, so that each part costs the same however
 * large the batch is.
 */
async function loggedFrom(tx: Db, { userId, at, since }: Batch, first: number, last: number) {
  const places = await tx
    .select()
    .from(activity)
    .where(between(activity.id, first, last))
    .orderBy(asc(activity.id))
  const isOfBatch = (row: LoggedRow) =>
    row.userId === userId && row.action === 'triage-changed' && row.at.getTime() === at.getTime() && row.at >= since
  const rows = places.filter(isOfBatch)
  const now = {
    'asked-question': await triageRows(tx, 'asked-question', rows),
    'declaration-of-interest': await triageRows(tx, 'declaration-of-interest', rows),
  }
  return rows.map(({ leadKind, leadId, details, ...logged }) => ({
    at: logged.at,
    now: leadKind === null ? undefined : now[leadKind].get(leadId ?? ''),
    details: detailsSchema.parse(details),
  }))
}

async function triageRows(tx: Db, kind: LeadKind, logged: readonly Pick<LoggedRow, 'leadKind' | 'leadId'>[]) {
  const ids = logged.flatMap(({ leadKind, leadId }) => (leadKind === kind && leadId !== null ? [leadId] : []))
  if (ids.length === 0) return new Map<string, TriageRow>()
  const rows = await tx
    .select()
    .from(triage)
    .where(and(eq(triage.kind, kind), inArray(triage.leadId, ids)))
  return new Map(rows.map((row) => [row.leadId, row]))
}

const detailsSchema = z.object({
  from: leadStatusSchema,
  to: leadStatusSchema,
  assignee: z.string().nullable(),
  assigneeBefore: z.string().nullable().optional(),
})

function isStanding(one: Logged, userId: string): one is Standing {
  const { at, details, now } = one
  if (now === undefined) return false
  const isSame = now.status === details.to && now.assigneeId === details.assignee
  return isSame && now.updatedBy === userId && now.updatedAt.getTime() === at.getTime()
}

async function restore(tx: Db, userId: string, at: Date, standing: Standing[]): Promise<void> {
  for (const kind of leadKindSchema.options) {
    const changes = standing
      .filter(({ now }) => now.kind === kind)
      .map(({ details: { from, assignee, assigneeBefore = assignee }, now }) => ({
        id: now.leadId,
        before: { status: now.status, assigneeId: now.assigneeId, updatedAt: now.updatedAt.getTime() },
        after: { status: from, assigneeId: assigneeBefore },
      }))
    await writeTriage(tx, { userId, kind, at, action: 'triage-undone' }, changes)
  }
}

function refOf({ now }: Standing): LeadRef {
  return { kind: now.kind, id: now.leadId }
}
