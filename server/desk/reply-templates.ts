import 'server-only'
import { randomUUID } from 'node:crypto'
import { asc, eq } from 'drizzle-orm'
import type { NewTemplate, ReplyTemplate, TemplatesAnswer } from '@/lib/contract/attempts'
import { command, type CommandParts } from '@/server/access/command'
import type { Allowed, Viewer } from '@/server/access/viewer'
import type { Connect } from '@/server/db/database'
import { replyTemplates, settings } from '@/server/db/schema'
import { ConflictError, NotFoundError } from '@/server/errors'
import firstTemplates from './first-templates.json'

type Reader = Allowed<'leads:read'>

type Parts = CommandParts & { now: () => number }

export async function listTemplates({ connect }: { connect: Connect }, _viewer: Reader): Promise<TemplatesAnswer> {
  const db = await connect()
  const rows = await db.select().from(replyTemplates).orderBy(asc(replyTemplates.id))
  const byName = new Intl.Collator('sv').compare
  const templates = rows.map(toTemplate).sort((a, b) => rank(a.language) - rank(b.language) || byName(a.name, b.name))
  return { templates }
}

const rank = (language: 'sv' | 'en') => (language === 'sv' ? 0 : 1)

const MOST_TEMPLATES = 200

export async function addTemplate(parts: Parts, viewer: Viewer, template: NewTemplate): Promise<ReplyTemplate> {
  return command(parts, viewer, 'admin', async (tx, log) => {
    if ((await tx.$count(replyTemplates)) >= MOST_TEMPLATES) throw new ConflictError('There are too many templates')
    const row = { ...template, id: randomUUID(), updatedAt: new Date(parts.now()) }
    await tx.insert(replyTemplates).values(row)
    await log({ action: 'template-added', details: { template: row.id } })
    return toTemplate(row)
  })
}

export async function changeTemplate(parts: Parts, viewer: Viewer, { id, ...template }: ReplyTemplate) {
  return command(parts, viewer, 'admin', async (tx, log) => {
    const set = { ...template, updatedAt: new Date(parts.now()) }
    const [row] = await tx.update(replyTemplates).set(set).where(eq(replyTemplates.id, id)).returning()
    if (!row) throw new NotFoundError()
    await log({ action: 'template-changed', details: { template: id } })
    return toTemplate(row)
  })
}

export async function deleteTemplate(parts: CommandParts, viewer: Viewer, { id }: { id: string }): Promise<void> {
  await command(parts, viewer, 'admin', async (tx, log) => {
    const deleted = await tx.delete(replyTemplates).where(eq(replyTemplates.id, id)).returning()
    if (deleted.length === 0) throw new NotFoundError()
    await log({ action: 'template-deleted', details: { template: id } })
  })
}

function toTemplate(row: typeof replyTemplates.$inferSelect): ReplyTemplate {
  const { id, language, name, subject, body } = row
  return { id, language, name, subject, body }
}

const MADE = 'first-templates-made'

/** Once per database: deleted templates do not come back. */
export async function ensureFirstTemplates({ connect, now }: { connect: Connect; now: () => number }): Promise<void> {
  const updatedAt = new Date(now())
  const rows = firstTemplates.map(({ language, ...one }) => {
    return { ...one, language: language as NewTemplate['language'], id: randomUUID(), updatedAt }
  })
  const db = await connect()
  await db.transaction(async (tx) => {
    const row = { name: MADE, value: true, updatedAt }
    const made = await tx.insert(settings).values(row).onConflictDoNothing().returning()
    if (made.length === 0) return
    await tx.insert(replyTemplates).values(rows)
  })
}
