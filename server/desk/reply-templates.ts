import 'server-only'
import { randomUUID } from 'node:crypto'
import { and, asc, eq, isNull, or } from 'drizzle-orm'
import type { NewAnswer, NewTemplate, ReplyTemplate, TemplatesAnswer } from '@/lib/contract/attempts'
import { command, type CommandParts } from '@/server/access/command'
import type { Allowed, Viewer } from '@/server/access/viewer'
import type { Connect, Db } from '@/server/db/database'
import { replyTemplates, settings } from '@/server/db/schema'
import { ConflictError, NotFoundError } from '@/server/errors'
import firstTemplates from './first-templates.json'

type Reader = Allowed<'leads:read'>

type Parts = CommandParts & { now: () => number }

const isShared = isNull(replyTemplates.ownerId)
const isOwnOf = ({ id }: { id: string }) => eq(replyTemplates.ownerId, id)

/** The shared and the user's own, Swedish first. */
export async function listTemplates({ connect }: { connect: Connect }, viewer: Reader): Promise<TemplatesAnswer> {
  const db = await connect()
  const found = db
    .select()
    .from(replyTemplates)
    .where(or(isShared, isOwnOf(viewer)))
  const rows = await found.orderBy(asc(replyTemplates.id))
  const byName = new Intl.Collator('sv').compare
  const templates = rows.map(toTemplate).sort((a, b) => rank(a.language) - rank(b.language) || byName(a.name, b.name))
  return { templates }
}

const rank = (language: 'sv' | 'en') => (language === 'sv' ? 0 : 1)

const MAX_TEMPLATES = 200

export async function addTemplate(parts: Parts, viewer: Viewer, template: NewTemplate): Promise<ReplyTemplate> {
  return command(parts, viewer, 'admin', async (tx, log) => {
    const row = await insertTemplate(tx, { ...template, ownerId: null, updatedAt: new Date(parts.now()) })
    await log({ action: 'template-added', details: { template: row.id } })
    return toTemplate(row)
  })
}

/** From the composer. An own answer replaces the one of its name. */
export async function saveAnswer(
  parts: Parts,
  viewer: Allowed<'leads:reply'>,
  answer: NewAnswer,
): Promise<ReplyTemplate> {
  const { isShared: isForAll, ...template } = answer
  return command(parts, viewer, 'leads:reply', async (tx, log) => {
    const isNamesake = and(eq(replyTemplates.name, template.name), eq(replyTemplates.language, template.language))
    if (!isForAll) await tx.delete(replyTemplates).where(and(isOwnOf(viewer), isNamesake))
    const ownerId = isForAll ? null : viewer.id
    const row = await insertTemplate(tx, { ...template, ownerId, updatedAt: new Date(parts.now()) })
    await log({ action: isForAll ? 'template-added' : 'answer-saved', details: { template: row.id } })
    return toTemplate(row)
  })
}

async function insertTemplate(tx: Db, values: Omit<typeof replyTemplates.$inferInsert, 'id'>) {
  const { ownerId } = values
  const isAlike = ownerId == null ? isShared : isOwnOf({ id: ownerId })
  if ((await tx.$count(replyTemplates, isAlike)) >= MAX_TEMPLATES)
    throw new ConflictError('There are too many templates')
  const [row] = await tx
    .insert(replyTemplates)
    .values({ ...values, id: randomUUID() })
    .returning()
  if (row === undefined) throw new Error('A row that was inserted did not come back')
  return row
}

export async function changeTemplate(parts: Parts, viewer: Viewer, { id, ...template }: ReplyTemplate) {
  return command(parts, viewer, 'admin', async (tx, log) => {
    const set = { ...template, updatedAt: new Date(parts.now()) }
    const isOne = and(eq(replyTemplates.id, id), isShared)
    const [row] = await tx.update(replyTemplates).set(set).where(isOne).returning()
    if (!row) throw new NotFoundError()
    await log({ action: 'template-changed', details: { template: id } })
    return toTemplate(row)
  })
}

export async function deleteTemplate(parts: CommandParts, viewer: Viewer, { id }: { id: string }): Promise<void> {
  await command(parts, viewer, 'admin', async (tx, log) => {
    const deleted = await tx
      .delete(replyTemplates)
      .where(and(eq(replyTemplates.id, id), isShared))
      .returning()
    if (deleted.length === 0) throw new NotFoundError()
    await log({ action: 'template-deleted', details: { template: id } })
  })
}

export async function deleteAnswer(parts: CommandParts, viewer: Allowed<'leads:reply'>, { id }: { id: string }) {
  await command(parts, viewer, 'leads:reply', async (tx, log) => {
    const deleted = await tx
      .delete(replyTemplates)
      .where(and(eq(replyTemplates.id, id), isOwnOf(viewer)))
      .returning()
    if (deleted.length === 0) throw new NotFoundError()
    await log({ action: 'answer-deleted', details: { template: id } })
  })
}

function toTemplate({ id, language, name, subject, body, ownerId }: typeof replyTemplates.$inferSelect): ReplyTemplate {
  return { id, language, name, subject, body, ...(ownerId !== null && { isOwn: true }) }
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
