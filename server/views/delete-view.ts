import 'server-only'
import { eq } from 'drizzle-orm'
import { requirePermission } from '@/server/access/require-permission'
import type { Viewer } from '@/server/access/viewer'
import { savedViews } from '@/server/db/schema'
import { ForbiddenError, NotFoundError } from '@/server/errors'
import { services } from '@/server/services'

/** For its owner and administrators; for anybody else a private view does not exist. */
export async function deleteView(viewer: Viewer, id: string): Promise<void> {
  requirePermission(viewer, 'leads:read')
  const { connect, activity } = services()
  const db = await connect()
  await db.transaction(async (tx) => {
    const [view] = await tx.select().from(savedViews).where(eq(savedViews.id, id)).for('update')
    const isAdmin = viewer.permissions.has('admin')
    if (!view || (view.ownerId !== viewer.id && !view.shared && !isAdmin)) throw new NotFoundError()
    if (view.ownerId !== viewer.id && !isAdmin) throw new ForbiddenError()
    await tx.delete(savedViews).where(eq(savedViews.id, id))
    await activity.recordIn(tx, { userId: viewer.id, action: 'view-deleted', details: { view: id } })
  })
}
