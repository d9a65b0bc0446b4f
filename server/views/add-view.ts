import 'server-only'
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { NewView, SavedView } from '@/lib/contract/saved-view'
import { requirePermission } from '@/server/access/require-permission'
import type { Viewer } from '@/server/access/viewer'
import { savedViews } from '@/server/db/schema'
import { ConflictError } from '@/server/errors'
import { services } from '@/server/services'
import { createViewCounter } from './count-for-viewer'
import { sealView } from './sealed-view'

const MOST_VIEWS = 100

/** Keeps a filter under a name. ConflictError when the person has a hundred views already. */
export async function addView(viewer: Viewer, { list, name, query, shared }: NewView): Promise<SavedView> {
  requirePermission(viewer, 'leads:read')
  const { connect, seal, activity, now } = services()
  const id = randomUUID()
  const sealedView = sealView(seal, id, { name, query })
  const db = await connect()
  if ((await db.$count(savedViews, eq(savedViews.ownerId, viewer.id))) >= MOST_VIEWS) {
    throw new ConflictError(`There are ${MOST_VIEWS} views already`)
  }
  await db.transaction(async (tx) => {
    await tx.insert(savedViews).values({ id, ownerId: viewer.id, list, sealedView, shared, createdAt: new Date(now()) })
    await activity.recordIn(tx, { userId: viewer.id, action: 'view-added', details: { view: id, shared } })
  })
  return { id, name, list, query, shared, own: true, count: await createViewCounter(viewer)(list, query) }
}
