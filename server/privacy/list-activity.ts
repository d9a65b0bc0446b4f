import { and, desc, eq, inArray, lt, or, sql } from 'drizzle-orm'
import type { ActivityItem, ActivityQuery } from '@/lib/contract/activity'
import { LEAD_KINDS } from '@/lib/contract/lists'
import { executeCommand } from '@/server/access/command'
import { findUserNames } from '@/server/access/users'
import type { Admin } from '@/server/access/viewer'
import { activity } from '@/server/base/schema'
import type { Services } from '@/server/base/services'
import { findLeadIdsByExport } from '@/server/export/exported-leads'

/** Lists the log, newest first; the log of a lead includes its exports. Queries about a user or lead are logged. */
export async function listActivity(services: Services, viewer: Admin, query: ActivityQuery) {
  const { user, kind, id = query.lead, action, before, limit } = query
  await services.leadOpenings.flush()
  const db = await services.connect()
  const isAboutLead = and(
    kind === undefined ? undefined : eq(activity.leadKind, kind),
    id === undefined ? undefined : eq(activity.leadId, id),
  )
  const leadKinds = kind === undefined ? LEAD_KINDS : [kind]
  const exportIds: string[] = []
  if (id !== undefined)
    for (const leadKind of leadKinds) exportIds.push(...(await findLeadIdsByExport(db, leadKind, [id])).keys())
  const isAboutExport = and(
    inArray(activity.action, ['export-started', 'export-ended']),
    inArray(sql`${activity.details} ->> 'export'`, exportIds),
  )
  const condition = and(
    user === undefined ? undefined : eq(activity.userId, user),
    exportIds.length === 0 ? isAboutLead : or(isAboutLead, isAboutExport),
    action === undefined ? undefined : inArray(activity.action, action),
    before === undefined ? undefined : lt(activity.id, before),
  )
  const matching = db.select().from(activity).where(condition)
  const rows = await matching.orderBy(desc(activity.id)).limit(limit + 1)
  const authorIds = rows.map(({ userId }) => userId)
  const names = await findUserNames(db, authorIds)
  // A query is logged once, not for each page. An id that found nothing may be any text, and is left out.
  if (before === undefined && (user !== undefined || id !== undefined)) {
    const isFound = rows.length > 0
    const entry = { action: 'log-followed', ...(isFound && user !== undefined && { details: { user } }) } as const
    const loggedQueries =
      isFound && id !== undefined ? leadKinds.map((leadKind) => ({ ...entry, lead: { kind: leadKind, id } })) : [entry]
    await executeCommand(services, viewer, 'admin', (_tx, log) => log(...loggedQueries))
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
