import 'server-only'
import { and, desc, eq, inArray, lt, or, type SQL } from 'drizzle-orm'
import type { ActivityAnswer, ActivityItem, ActivityQuery } from '@/lib/contract/activity'
import type { LeadKind } from '@/lib/contract/lead'
import { requirePermission } from '@/server/access/require-permission'
import type { Viewer } from '@/server/access/viewer'
import type { Db } from '@/server/db/db'
import { activity } from '@/server/db/schema'
import { services } from '@/server/services'
import { userNames } from '@/server/users/user-names'
import { entriesOfExports } from './entries-of-exports'

/**
 * Who did what, newest first: of one person, about one lead, of one kind, or everything. About a lead are the exports it left
 * in, too.
 */
export async function listActivity(viewer: Viewer, query: ActivityQuery): Promise<ActivityAnswer> {
  requirePermission(viewer, 'admin')
  const db = await services().connect()
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
  const exported = await entriesOfExports(db, kind, id)
  const itself = and(ofKind, eq(activity.leadId, id))
  return exported.length === 0 ? itself : or(itself, inArray(activity.id, exported))
}

function toItem(row: typeof activity.$inferSelect, names: ReadonlyMap<string, string>): ActivityItem {
  const { id, at, userId, action, leadKind, leadId, details } = row
  return {
    id,
    at: at.toISOString(),
    user: userId === null ? null : { id: userId, name: names.get(userId) ?? '' },
    action,
    lead: leadKind === null || leadId === null ? null : { kind: leadKind, id: leadId },
    details: details ?? {},
  }
}
