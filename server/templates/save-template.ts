import 'server-only'
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { NewTemplate, ReplyTemplate } from '@/lib/contract/reply-template'
import { requirePermission } from '@/server/access/require-permission'
import type { Viewer } from '@/server/access/viewer'
import { replyTemplates } from '@/server/db/schema'
import { ConflictError, NotFoundError } from '@/server/errors'
import { services } from '@/server/services'
import { toTemplate } from './to-template'

const MOST_TEMPLATES = 200

/** ConflictError when there are as many as anybody can choose from. */
export async function addTemplate(viewer: Viewer, template: NewTemplate): Promise<ReplyTemplate> {
  requirePermission(viewer, 'admin')
  const { connect, activity, now } = services()
  const db = await connect()
  if ((await db.$count(replyTemplates)) >= MOST_TEMPLATES) throw new ConflictError('There are too many templates')
  const row = { ...template, id: randomUUID(), updatedAt: new Date(now()) }
  await db.transaction(async (tx) => {
    await tx.insert(replyTemplates).values(row)
    await activity.recordIn(tx, { userId: viewer.id, action: 'template-added', details: { template: row.id } })
  })
  return toTemplate(row)
}

export async function changeTemplate(viewer: Viewer, id: string, template: NewTemplate): Promise<ReplyTemplate> {
  requirePermission(viewer, 'admin')
  const { connect, activity, now } = services()
  const db = await connect()
  return db.transaction(async (tx) => {
    const set = { ...template, updatedAt: new Date(now()) }
    const [row] = await tx.update(replyTemplates).set(set).where(eq(replyTemplates.id, id)).returning()
    if (!row) throw new NotFoundError()
    await activity.recordIn(tx, { userId: viewer.id, action: 'template-changed', details: { template: id } })
    return toTemplate(row)
  })
}
