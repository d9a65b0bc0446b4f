import 'server-only'
import { setImmediate } from 'node:timers/promises'
import { asc, eq, or } from 'drizzle-orm'
import type { SavedView, SavedViewsAnswer } from '@/lib/contract/saved-view'
import { requirePermission } from '@/server/access/require-permission'
import type { Viewer } from '@/server/access/viewer'
import { savedViews } from '@/server/db/schema'
import { services } from '@/server/services'
import { createViewCounter } from './count-for-viewer'
import { openView } from './sealed-view'
import { viewInReach } from './view-in-reach'

/** The viewer's own views and the shared ones that are about something in reach, each with how many leads it has for the viewer now; oldest first. */
export async function listViews(viewer: Viewer): Promise<SavedViewsAnswer> {
  requirePermission(viewer, 'leads:read')
  const { connect, seal } = services()
  const db = await connect()
  const rows = await db
    .select()
    .from(savedViews)
    .where(or(eq(savedViews.ownerId, viewer.id), eq(savedViews.shared, true)))
    .orderBy(asc(savedViews.createdAt), asc(savedViews.id))
  const count = createViewCounter(viewer)
  const views: SavedView[] = []
  for (const { id, list, ownerId, shared, sealedView } of rows) {
    const content = openView(seal, id, list, sealedView)
    if (content === null) continue
    const query = ownerId === viewer.id ? content.query : await viewInReach(viewer, list, content.query)
    if (query === null) continue
    const own = ownerId === viewer.id || viewer.permissions.has('admin')
    views.push({ id, name: content.name, query, list, shared, own, count: await count(list, query) })
    // A count is a few milliseconds; many of them must not hold up everyone else.
    await setImmediate()
  }
  return { views }
}
