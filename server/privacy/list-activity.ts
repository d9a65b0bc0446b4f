import { and, desc, eq, gte, inArray, lt, lte, or, sql } from 'drizzle-orm'
import type { ActivityItem, ActivityQuery } from '@/lib/contract/activity'
import type { LeadKind } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import { executeCommand } from '@/server/access/command'
import { findUserNames } from '@/server/access/users'
import type { Admin } from '@/server/access/viewer'
import type { Db } from '@/server/base/database'
import { activity, exports } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import { queryExports } from '@/server/export/exported-leads'

/** Lists the log, newest first; that of a lead has its exports, too. Queries about a user or lead are logged. */
export async function listActivity(services: Services, viewer: Admin, query: ActivityQuery) {
  const { user, kind, id = query.lead, action, before, limit } = query
  await services.leadOpenings.flush()
  const db = await services.connect()
  const isAboutLead = and(
    kind === undefined ? undefined : eq(activity.leadKind, kind),
    id === undefined ? undefined : eq(activity.leadId, id),
  )
  const exportEntryIds = id === undefined ? [] : await findExportEntryIds(db, kind, id)
  const condition = and(
    user === undefined ? undefined : eq(activity.userId, user),
    exportEntryIds.length === 0 ? isAboutLead : or(isAboutLead, inArray(activity.id, exportEntryIds)),
    action === undefined ? undefined : inArray(activity.action, action),
    before === undefined ? undefined : lt(activity.id, before),
  )
  const matching = db.select().from(activity).where(condition)
  const rows = await matching.orderBy(desc(activity.id)).limit(limit + 1)
  const authorIds = rows.map(({ userId }) => userId)
  const names = await findUserNames(db, authorIds)
  // A query is logged once, not for each page of its answer; and only with ids that it found, as others are any text.
  if (before === undefined && rows.length > 0 && (user !== undefined || id !== undefined)) {
    const entry = { action: 'log-followed', ...(user !== undefined && { details: { user } }) } as const
    const leads = id === undefined ? [] : (kind ? [kind] : LEAD_KINDS).map((leadKind) => ({ kind: leadKind, id }))
    const logged = leads.length === 0 ? [entry] : leads.map((lead) => ({ ...entry, lead }))
    await executeCommand(services, viewer, 'admin', (_tx, log) => log(...logged))
  }
  const entries = rows.slice(0, limit).map(({ loggedAt, userId, leadKind, leadId, ...row }): ActivityItem => ({
    id: row.id,
    at: loggedAt.toISOString(),
    user: userId === null ? null : { id: userId, name: names.get(userId) ?? '' },
    action: row.action,
    lead: leadKind === null || leadId === null ? null : { kind: leadKind, id: leadId },
    details: row.details ?? {},
    address: row.address,
  }))
  return { entries, hasMore: rows.length > limit }
}

async function findExportEntryIds(db: Db, kind: LeadKind | undefined, leadId: string) {
  const exportIds: string[] = []
  const hasLead = sql<boolean>`${leadId} = any(${exports.leadIds})`
  for await (const { id, result } of queryExports(db, kind, hasLead)) if (result) exportIds.push(id)
  // The log is long and has an index by user and time, so an entry is found by those of its export.
  const isAboutExport = and(
    eq(activity.userId, exports.userId),
    gte(activity.loggedAt, exports.startedAt),
    lte(activity.loggedAt, sql`coalesce(${exports.endedAt}, ${exports.startedAt}) + interval '1 minute'`),
    inArray(activity.action, ['export-started', 'export-ended']),
    sql`${activity.details} ->> 'export' = ${exports.id}`,
  )
  const entries = db.select({ id: activity.id }).from(exports).innerJoin(activity, isAboutExport)
  return (await entries.where(inArray(exports.id, exportIds))).map(({ id }) => id)
}
