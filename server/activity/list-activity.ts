import 'server-only'
import { and, desc, eq, gte, inArray, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { ActivityItem, ActivityQuery } from '@/lib/contract/activity'
import type { LeadKind } from '@/lib/contract/lead'
import { command, type CommandParts } from '@/server/access/command'
import type { Allowed } from '@/server/access/viewer'
import type { Db } from '@/server/db/database'
import { activity, exports } from '@/server/db/schema'
import { askExports } from '@/server/export/ask-exports'
import type { LeadParts } from '@/server/leads/select-leads'
import { userNames } from '@/server/users/people'
import { knownLead, knownUser } from './known'
import type { Reading } from './reading'

type Parts = CommandParts & Pick<LeadParts, 'feed'> & { reading: Pick<Reading, 'flush'> }

/**
 * Who did what, newest first: of one person, about one lead, of one kind, or everything. The entries about a lead include
 * the exports that it was in. That somebody asked about a person or a lead is logged itself, by the ids of those there are.
 */
export async function listActivity(
  parts: Parts,
  viewer: Allowed<'admin'>,
  query: ActivityQuery,
): Promise<{ entries: ActivityItem[]; hasMore: boolean }> {
  await parts.reading.flush()
  const answer = await entriesOf(await parts.connect(), query)
  await logAsking(parts, viewer, query)
  return answer
}

/** Once for an asking, however many pages of the answer are read. */
async function logAsking(
  parts: Parts,
  viewer: Allowed<'admin'>,
  { user, kind, id, before }: ActivityQuery,
): Promise<void> {
  if (before !== undefined || (user === undefined && id === undefined)) return
  const db = await parts.connect()
  const person = user === undefined ? undefined : await knownUser(db, user)
  const lead = kind === undefined || id === undefined ? undefined : await knownLead(db, parts, { kind, id })
  const details = { ...(person !== undefined && { user: person }), format: 'json' }
  await command(parts, viewer, 'admin', (_tx, log) => log({ action: 'log-followed', ...(lead && { lead }), details }))
}

async function entriesOf(db: Db, query: ActivityQuery): Promise<{ entries: ActivityItem[]; hasMore: boolean }> {
  const { user, kind, id, action, before, limit } = query
  const rows = await db
    .select()
    .from(activity)
    .where(
      and(
        user === undefined ? undefined : eq(activity.userId, user),
        await aboutLead(db, kind, id),
        action === undefined ? undefined : eq(activity.action, action),
        before === undefined ? undefined : lt(activity.id, before),
      ),
    )
    .orderBy(desc(activity.id))
    .limit(limit + 1)
  const page = rows.slice(0, limit)
  const names = await userNames(
    db,
    page.flatMap(({ userId }) => userId ?? []),
  )
  return { entries: page.map((row) => toItem(row, names)), hasMore: rows.length > limit }
}

async function aboutLead(db: Db, kind: LeadKind | undefined, id: string | undefined): Promise<SQL | undefined> {
  const ofKind = kind === undefined ? undefined : eq(activity.leadKind, kind)
  if (id === undefined) return ofKind
  const exported = await exportEntriesOfLead(db, kind, id)
  const itself = and(ofKind, eq(activity.leadId, id))
  return exported.length === 0 ? itself : or(itself, inArray(activity.id, exported))
}

/** The ids of the entries about exports that a lead was in. */
async function exportEntriesOfLead(db: Db, kind: LeadKind | undefined, leadId: string): Promise<number[]> {
  const holding: string[] = []
  const isIn = sql<boolean>`${leadId} = any(${exports.leadIds})`
  for await (const { id, answer } of askExports(db, kind, isIn)) if (answer) holding.push(id)
  return holding.length === 0 ? [] : entriesOfExports(db, holding)
}

/** The log is long, so its index is used: by the person and the time of the export. */
async function entriesOfExports(db: Db, exportIds: string[]): Promise<number[]> {
  const rows = await db
    .select({ id: activity.id })
    .from(exports)
    .innerJoin(
      activity,
      and(
        eq(activity.userId, exports.userId),
        gte(activity.at, exports.at),
        lte(activity.at, sql`coalesce(${exports.endedAt}, ${exports.at}) + interval '1 minute'`),
        inArray(activity.action, ['export-started', 'export-ended']),
        sql`${activity.details} ->> 'export' = ${exports.id}`,
      ),
    )
    .where(inArray(exports.id, exportIds))
  return rows.map(({ id }) => id)
}

export function toItem(row: typeof activity.$inferSelect, names: ReadonlyMap<string, string>): ActivityItem {
  const { id, at, userId, action, leadKind, leadId, details, address } = row
  return {
    id,
    at: at.toISOString(),
    user: userId === null ? null : { id: userId, name: names.get(userId) ?? '' },
    action,
    lead: leadKind === null || leadId === null ? null : { kind: leadKind, id: leadId },
    details: details ?? {},
    address,
  }
}
