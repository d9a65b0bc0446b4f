import 'server-only'
import { eq } from 'drizzle-orm'
import { requirePermission } from '@/server/access/require-permission'
import type { Viewer } from '@/server/access/viewer'
import { replyTemplates } from '@/server/db/schema'
import { NotFoundError } from '@/server/errors'
import { services } from '@/server/services'

export async function deleteTemplate(viewer: Viewer, id: string): Promise<void> {
  requirePermission(viewer, 'admin')
  const { connect, activity } = services()
  const db = await connect()
  await db.transaction(async (tx) => {
    const gone = await tx.delete(replyTemplates).where(eq(replyTemplates.id, id)).returning({ id: replyTemplates.id })
    if (gone.length === 0) throw new NotFoundError()
    await activity.recordIn(tx, { userId: viewer.id, action: 'template-deleted', details: { template: id } })
  })
}
