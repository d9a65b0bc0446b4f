import 'server-only'
import { randomUUID } from 'node:crypto'
import { and, asc, eq, isNull, or, type SQL } from 'drizzle-orm'
import type { NewAnswer, NewTemplate, ReplyTemplate, TemplatesAnswer } from '@/lib/contract/attempts'
import type { Permission } from '@/lib/contract/endpoint'
import { command, type CommandParts } from '@/server/access/command'
import type { Viewer, Reader, Sender } from '@/server/access/viewer'
import type { Connect } from '@/server/db/database'
import { replyTemplates, settings } from '@/server/db/schema'
import { ConflictError, NotFoundError } from '@/server/errors'
import firstTemplates from './first-templates.json'

type Parts = CommandParts & { now: () => number }

const isShared = isNull(replyTemplates.ownerId)
const isOwnOf = ({ id }: { id: string }) => eq(replyTemplates.ownerId, id)

/** The shared and the user's own, Swedish first. */
export async function listTemplates({ connect }: { connect: Connect }, viewer: Reader): Promise<TemplatesAnswer> {
  const db = await connect()
  const isTheirs = or(isShared, isOwnOf(viewer))
  const rows = await db.select().from(replyTemplates).where(isTheirs).orderBy(asc(replyTemplates.id))
  const byName = new Intl.Collator('sv').compare
  const templates = rows.map(toTemplate).sort((a, b) => rank(a.language) - rank(b.language) || byName(a.name, b.name))
  return { templates }
}

const rank = (language: 'sv' | 'en') => (language === 'sv' ? 0 : 1)

const MAX_TEMPLATES = 200

export function addTemplate(parts: Parts, viewer: Viewer, template: NewTemplate): Promise<ReplyTemplate> {
  return add(parts, viewer, 'admin', { ...template, ownerId: null })
}

/** From the composer. An own answer replaces the one of its name. */
export function saveAnswer(parts: Parts, viewer: Sender, { isShared: isForAll, ...template }: NewAnswer) {
  return add(parts, viewer, 'leads:reply', { ...template, ownerId: isForAll ? null : viewer.id })
}

function add(parts: Parts, viewer: Viewer, permission: Permission, made: NewTemplate & { ownerId: string | null }) {
  return command(parts, viewer, permission, async (tx, log) => {
    const { ownerId, name, language } = made
    const isNamesake = and(eq(replyTemplates.name, name), eq(replyTemplates.language, language))
    if (ownerId !== null) await tx.delete(replyTemplates).where(and(isOwnOf(viewer), isNamesake))
    const isAlike = ownerId === null ? isShared : isOwnOf(viewer)
    if ((await tx.$count(replyTemplates, isAlike)) >= MAX_TEMPLATES)
      throw new ConflictError('There are too many templates')
    const row = { ...made, id: randomUUID(), updatedAt: new Date(parts.now()) }
    await tx.insert(replyTemplates).values(row)
    await log({ action: ownerId === null ? 'template-added' : 'answer-saved', details: { template: row.id } })
    return toTemplate(row)
  })
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

export function deleteTemplate(parts: CommandParts, viewer: Viewer, { id }: { id: string }): Promise<void> {
  return deleteOne(parts, viewer, 'admin', { id, isTheirs: isShared, action: 'template-deleted' })
}

export function deleteAnswer(parts: CommandParts, viewer: Sender, { id }: { id: string }): Promise<void> {
  return deleteOne(parts, viewer, 'leads:reply', { id, isTheirs: isOwnOf(viewer), action: 'answer-deleted' })
}

type Deletion = { id: string; isTheirs: SQL; action: 'template-deleted' | 'answer-deleted' }

async function deleteOne(parts: CommandParts, viewer: Viewer, permission: Permission, one: Deletion): Promise<void> {
  const { id, isTheirs, action } = one
  await command(parts, viewer, permission, async (tx, log) => {
    const isOne = and(eq(replyTemplates.id, id), isTheirs)
    if ((await tx.delete(replyTemplates).where(isOne).returning()).length === 0) throw new NotFoundError()
    await log({ action, details: { template: id } })
  })
}

type Row = typeof replyTemplates.$inferSelect

function toTemplate({ id, language, name, subject, body, ownerId }: Row): ReplyTemplate {
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
