import 'server-only'
import type { Services } from '@/server/base/services'
import { randomUUID } from 'node:crypto'
import { and, asc, eq, isNotNull, isNull, ne, or, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { NewTemplate, ReplyTemplate } from '@/lib/contract/attempts'
import type { Answer, Body } from '@/lib/contract/endpoints'
import { executeCommand } from '@/server/access/command'
import type { Viewer, Reader, Replier } from '@/server/access/viewer'
import type { Connect, Db } from '@/server/base/database'
import { replyTemplates, settings } from '@/server/base/schema'
import { sealContext } from '@/server/base/seal-context'
import { ConflictError, NotFoundError } from '@/server/base/errors'
import type { Seal } from '@/server/base/seal'
import firstTemplates from './first-templates.json'

const isShared = isNull(replyTemplates.ownerId)
const isOwnedBy = (ownerId: string | null) => (ownerId === null ? isShared : eq(replyTemplates.ownerId, ownerId))

/** The shared and the user's own, Swedish first. */
export async function listTemplates(
  { connect, seal }: Services,
  viewer: Reader,
): Promise<Answer<'GET /api/templates'>> {
  const db = await connect()
  const isTheirs = or(isShared, isOwnedBy(viewer.id))
  const rows = await db.select().from(replyTemplates).where(isTheirs).orderBy(asc(replyTemplates.id))
  const byName = new Intl.Collator('sv').compare
  const rank = ({ language }: ReplyTemplate) => (language === 'sv' ? 0 : 1)
  const templates = rows
    .flatMap((row) => {
      const texts = decryptTexts(seal, row)
      return texts === null ? [] : [toTemplate({ ...row, ...texts })]
    })
    .sort((a, b) => rank(a) - rank(b) || byName(a.name, b.name))
  return { templates }
}

const MAX_TEMPLATES = 200

/** Own templates are seen by their owner alone; those for everybody are the administrators' to publish. */
export async function addTemplate(
  services: Services,
  viewer: Replier,
  { isOwn, ...template }: Body<'POST /api/templates'>,
) {
  const ownerId = isOwn ? viewer.id : null
  return executeCommand(services, viewer, permissionFor(ownerId), async (tx, log) => {
    if ((await tx.$count(replyTemplates, isOwnedBy(ownerId))) >= MAX_TEMPLATES)
      throw new ConflictError('There are too many templates')
    const row = { ...template, id: randomUUID(), ownerId, updatedAt: new Date(services.now()) }
    await tx.insert(replyTemplates).values({ ...row, ...toStoredTexts(services.seal, row) })
    await log({ action: ownerId === null ? 'template-added' : 'answer-saved', details: { template: row.id } })
    return toTemplate(row)
  })
}

type ChangedTemplate = NewTemplate & { id: string }

export async function changeTemplate(services: Services, viewer: Replier, { id, ...template }: ChangedTemplate) {
  const ownerId = await findOwner(services, viewer, id)
  return executeCommand(services, viewer, permissionFor(ownerId), async (tx, log) => {
    const row = { ...template, id, ownerId }
    const set = { ...row, ...toStoredTexts(services.seal, row), updatedAt: new Date(services.now()) }
    const isOne = and(eq(replyTemplates.id, id), isOwnedBy(ownerId))
    if ((await tx.update(replyTemplates).set(set).where(isOne).returning()).length === 0) throw new NotFoundError()
    await log({ action: ownerId === null ? 'template-changed' : 'answer-saved', details: { template: id } })
    return toTemplate(row)
  })
}

export async function deleteTemplate(services: Services, viewer: Replier, { id }: { id: string }): Promise<void> {
  const ownerId = await findOwner(services, viewer, id)
  await executeCommand(services, viewer, permissionFor(ownerId), async (tx, log) => {
    const isOne = and(eq(replyTemplates.id, id), isOwnedBy(ownerId))
    if ((await tx.delete(replyTemplates).where(isOne).returning()).length === 0) throw new NotFoundError()
    await log({ action: ownerId === null ? 'template-deleted' : 'answer-deleted', details: { template: id } })
  })
}

/** Null is a template for everybody. NotFoundError also for another user's. */
async function findOwner({ connect }: Services, viewer: Viewer, id: string): Promise<string | null> {
  const isSeen = and(eq(replyTemplates.id, id), or(isShared, isOwnedBy(viewer.id)))
  const db = await connect()
  const [row] = await db.select({ ownerId: replyTemplates.ownerId }).from(replyTemplates).where(isSeen)
  if (row === undefined) throw new NotFoundError()
  return row.ownerId
}

/** A template for everybody is an administrator's to change. */
const permissionFor = (ownerId: string | null) => (ownerId === null ? 'admin' : 'leads:reply')

type Row = typeof replyTemplates.$inferSelect

function toTemplate({ id, language, name, subject, body, ownerId }: Omit<Row, 'updatedAt'>): ReplyTemplate {
  return { id, language, name, subject, body, ...(ownerId !== null && { isOwn: true }) }
}

const textsSchema = z.object({ name: z.string(), subject: z.string(), body: z.string() })
type TemplateTexts = z.infer<typeof textsSchema>

/** An own template may name a pupil, so it is stored encrypted as one text, without a name of its own. */
function toStoredTexts(
  seal: Seal,
  { id, ownerId, name, subject, body }: TemplateTexts & Pick<Row, 'id' | 'ownerId'>,
): TemplateTexts {
  if (ownerId === null) return { name, subject, body }
  const text = JSON.stringify({ name, subject, body })
  return { name: '', subject: '', body: seal.encrypt(text, sealContext.ownTemplate(id)) }
}

/** Null if it was sealed with another key. */
function decryptTexts(seal: Seal, { id, ...texts }: Row): TemplateTexts | null {
  if (texts.name !== '') return texts
  const text = seal.decrypt(texts.body, sealContext.ownTemplate(id))
  return textsSchema.safeParse(text === null ? null : JSON.parse(text)).data ?? null
}

/** Oldest first; those that cannot be read are left out. */
export async function readOwnTemplates(db: Db, seal: Seal, condition?: SQL) {
  const rows = await db
    .select()
    .from(replyTemplates)
    .where(and(isNotNull(replyTemplates.ownerId), condition))
    .orderBy(asc(replyTemplates.updatedAt), asc(replyTemplates.id))
  return rows.flatMap((row) => {
    const texts = decryptTexts(seal, row)
    return texts === null ? [] : [{ ...row, ...texts }]
  })
}

export async function eraseOwnTemplates(
  tx: Db,
  seal: Seal,
  namesPerson: (texts: TemplateTexts) => boolean,
): Promise<void> {
  const naming = (await readOwnTemplates(tx, seal)).filter(namesPerson)
  for (const { id } of naming) await tx.delete(replyTemplates).where(eq(replyTemplates.id, id))
}

/** Those of a release that stored them as they are. */
export async function encryptOldTemplates({ connect, seal }: Services): Promise<void> {
  const db = await connect()
  const isPlain = and(isNotNull(replyTemplates.ownerId), ne(replyTemplates.name, ''))
  for (const row of await db.select().from(replyTemplates).where(isPlain))
    await db
      .update(replyTemplates)
      .set(toStoredTexts(seal, row))
      .where(and(eq(replyTemplates.id, row.id), isPlain))
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
