import 'server-only'
import { and, desc, eq, gte, inArray, lt, lte, or, sql } from 'drizzle-orm'
import type { ActivityItem, ActivityQuery } from '@/lib/contract/activity'
import type { LeadKind, LeadRef } from '@/lib/contract/lead'
import { LEAD_KINDS } from '@/lib/contract/lists'
import { executeCommand } from '@/server/access/command'
import { findUserNames } from '@/server/access/users'
import type { Admin } from '@/server/access/viewer'
import type { Db } from '@/server/base/database'
import { activity, exports, users } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import { findExportsOf, queryExports } from '@/server/export/export-log'
import { isListedLead } from '@/server/leads/lead-tables'

/** Lists the log, newest first; that of a lead has its exports, too. Queries about a user or lead are logged. */
export async function listActivity(services: Services, viewer: Admin, query: ActivityQuery) {
  const { user, kind, id = query.lead, action, before, limit } = query
  await services.leadOpenings.flush()
  const db = await services.connect()
  const isAboutLead = and(
    kind === undefined ? undefined : eq(activity.leadKind, kind),
    id === undefined ? undefined : eq(activity.leadId, id),
  )
  const exportEntries = id === undefined ? [] : await findExportEntries(db, kind, id)
  const matchesQuery = and(
    user === undefined ? undefined : eq(activity.userId, user),
    exportEntries.length === 0 ? isAboutLead : or(isAboutLead, inArray(activity.id, exportEntries)),
    action === undefined ? undefined : inArray(activity.action, action),
    before === undefined ? undefined : lt(activity.id, before),
  )
  const found = db.select().from(activity).where(matchesQuery)
  const rows = await found.orderBy(desc(activity.id)).limit(limit + 1)
  const authors = rows.map(({ userId }) => userId)
  const names = await findUserNames(db, authors)
  // A query is logged once, not for each page of its answer.
  if (before === undefined && (user !== undefined || id !== undefined)) {
    // A queried id is logged only if it exists, because otherwise it is arbitrary text of a request.
    const isUser =
      user !== undefined &&
      ((await db.$count(users, eq(users.id, user))) > 0 || (await db.$count(activity, eq(activity.userId, user))) > 0)
    const kinds = kind === undefined ? LEAD_KINDS : [kind]
    const leads: LeadRef[] = []
    for (const lead of id === undefined ? [] : kinds.map((leadKind) => ({ kind: leadKind, id }))) {
      const isAbout = and(eq(activity.leadKind, lead.kind), eq(activity.leadId, lead.id))
      const isLead =
        isListedLead(services, lead) ||
        (await db.$count(activity, isAbout)) > 0 ||
        (await findExportsOf(db, lead.kind, [lead.id])).size > 0
      if (isLead) leads.push(lead)
    }
    const aboutUser = isUser && { details: { user } }
    const entries = (leads.length === 0 ? [undefined] : leads).map(
      (lead) => ({ action: 'log-followed', ...(lead && { lead }), ...aboutUser }) as const,
    )
    await executeCommand(services, viewer, 'admin', (_tx, log) => log(...entries))
  }
  const entries = rows.slice(0, limit).map(({ at, userId, leadKind, leadId, ...row }): ActivityItem => ({
    id: row.id,
    at: at.toISOString(),
    user: userId === null ? null : { id: userId, name: names.get(userId) ?? '' },
    action: row.action,
    lead: leadKind === null || leadId === null ? null : { kind: leadKind, id: leadId },
    details: row.details ?? {},
    address: row.address,
  }))
  return { entries, hasMore: rows.length > limit }
}

async function findExportEntries(db: Db, kind: LeadKind | undefined, leadId: string): Promise<number[]> {
  const exportIds: string[] = []
  const isIn = sql<boolean>`${leadId} = any(${exports.leadIds})`
  for await (const { id, result } of queryExports(db, kind, isIn)) if (result) exportIds.push(id)
  if (exportIds.length === 0) return []
  // User and time of the export make use of the index, because the log is long.
  const isEntryOfExport = and(
    eq(activity.userId, exports.userId),
    gte(activity.at, exports.at),
    lte(activity.at, sql`coalesce(${exports.endedAt}, ${exports.at}) + interval '1 minute'`),
    inArray(activity.action, ['export-started', 'export-ended']),
    sql`${activity.details} ->> 'export' = ${exports.id}`,
  )
  const entries = db.select({ id: activity.id }).from(exports).innerJoin(activity, isEntryOfExport)
  const rows = await entries.where(inArray(exports.id, exportIds))
  return rows.map(({ id }) => id)
}
