import { randomUUID } from 'node:crypto'
import { and, eq, isNotNull, isNull, ne, or } from 'drizzle-orm'
import { z } from 'zod'
import type { NewTemplate, ReplyTemplate } from '@/lib/contract/templates'
import type { Body } from '@/lib/contract/endpoints'
import { checkLimit, executeCommand } from '@/server/access/command'
import type { Reader, Replier, Viewer } from '@/server/access/viewer'
import type { Db } from '@/server/base/database'
import { NotFoundError } from '@/server/base/errors'
import { replyTemplates, settings } from '@/server/base/schema'
import type { Seal } from '@/server/base/seal'
import { sealContext } from '@/server/base/seal-context'
import type { Services } from '@/server/base/services'
import firstTemplates from './first-templates.json'

/** Shared templates have no owner. */
const isOwnedBy = (ownerId: string | null) =>
  ownerId === null ? isNull(replyTemplates.ownerId) : eq(replyTemplates.ownerId, ownerId)
const isVisibleTo = (viewer: Viewer) => or(isOwnedBy(null), isOwnedBy(viewer.id))
const isTemplate = (id: string) => eq(replyTemplates.id, id)

/** Lists the shared templates and the user's own, Swedish ones first. */
export async function listTemplates({ connect, seal }: Services, viewer: Reader) {
  const db = await connect()
  const rows = await db.select().from(replyTemplates).where(isVisibleTo(viewer)).orderBy(replyTemplates.id)
  const compareNames = new Intl.Collator('sv').compare
  const rankLanguage = ({ language }: ReplyTemplate) => (language === 'sv' ? 0 : 1)
  const templates = decryptRows(seal, rows).map(toTemplate)
  return { templates: templates.sort((a, b) => rankLanguage(a) - rankLanguage(b) || compareNames(a.name, b.name)) }
}

const MAX_TEMPLATES = 200

/** Adds a shared template, which only administrators may, or an own one, which its owner alone sees. */
export async function addTemplate(services: Services, viewer: Replier, input: Body<'POST /api/templates'>) {
  const { isOwn, ...template } = input
  const ownerId = isOwn ? viewer.id : null
  return executeCommand(services, viewer, choosePermission(ownerId), async (tx, log) => {
    await checkLimit(tx, replyTemplates, isOwnedBy(ownerId), MAX_TEMPLATES, 'There are too many templates')
    const row = { ...template, id: randomUUID(), ownerId, updatedAt: new Date(services.now()) }
    await tx.insert(replyTemplates).values({ ...row, ...toStoredTexts(services.seal, row) })
    await log({ action: ownerId === null ? 'template-added' : 'answer-saved', details: { template: row.id } })
    return toTemplate(row)
  })
}

type ChangedTemplate = NewTemplate & { id: string }

export async function changeTemplate(services: Services, viewer: Replier, { id, ...template }: ChangedTemplate) {
  const ownerId = await findOwner(services, viewer, id)
  return executeCommand(services, viewer, choosePermission(ownerId), async (tx, log) => {
    const row = { ...template, id, ownerId }
    const set = { ...row, ...toStoredTexts(services.seal, row), updatedAt: new Date(services.now()) }
    const [changed] = await tx.update(replyTemplates).set(set).where(isTemplate(id)).returning()
    if (!changed) throw new NotFoundError()
    await log({ action: ownerId === null ? 'template-changed' : 'answer-saved', details: { template: id } })
    return toTemplate(row)
  })
}

export async function deleteTemplate(services: Services, viewer: Replier, { id }: { id: string }) {
  const ownerId = await findOwner(services, viewer, id)
  await executeCommand(services, viewer, choosePermission(ownerId), async (tx, log) => {
    const [deleted] = await tx.delete(replyTemplates).where(isTemplate(id)).returning()
    if (!deleted) throw new NotFoundError()
    await log({ action: ownerId === null ? 'template-deleted' : 'answer-deleted', details: { template: id } })
  })
}

/** Finds the owner's id, null for a shared template. Throws NotFoundError for another user's own template. */
async function findOwner({ connect }: Services, viewer: Viewer, id: string) {
  const isFound = and(isTemplate(id), isVisibleTo(viewer))
  const db = await connect()
  const [row] = await db.select({ ownerId: replyTemplates.ownerId }).from(replyTemplates).where(isFound)
  if (row === undefined) throw new NotFoundError()
  return row.ownerId
}

const choosePermission = (ownerId: string | null) => (ownerId === null ? 'admin' : 'leads:reply')

type TemplateRow = typeof replyTemplates.$inferSelect

function toTemplate({ id, language, name, subject, body, ownerId }: Omit<TemplateRow, 'updatedAt'>): ReplyTemplate {
  return { id, language, name, subject, body, ...(ownerId !== null && { isOwn: true }) }
}

const textsSchema = z.object({ name: z.string(), subject: z.string(), body: z.string() })
type TemplateTexts = z.infer<typeof textsSchema>

/** An own template may name a pupil, so its texts are encrypted together in `body`, and its `name` is empty. */
function toStoredTexts(seal: Seal, template: TemplateTexts & Pick<TemplateRow, 'id' | 'ownerId'>): TemplateTexts {
  const { id, ownerId, name, subject, body } = template
  if (ownerId === null) return { name, subject, body }
  const text = JSON.stringify({ name, subject, body })
  return { name: '', subject: '', body: seal.encrypt(text, sealContext.ownTemplate(id)) }
}

/** Leaves out templates that were encrypted with another key. */
function decryptRows(seal: Seal, rows: readonly TemplateRow[]): TemplateRow[] {
  return rows.flatMap((row) => {
    // Shared templates are stored as plain text, and so are own ones of an earlier release.
    if (row.name !== '') return [row]
    const text = seal.decrypt(row.body, sealContext.ownTemplate(row.id))
    const texts = textsSchema.safeParse(text === null ? null : JSON.parse(text)).data
    return texts === undefined ? [] : [{ ...row, ...texts }]
  })
}

export async function readOwnTemplates(db: Db, seal: Seal) {
  const ownTemplates = db.select().from(replyTemplates).where(isNotNull(replyTemplates.ownerId))
  return decryptRows(seal, await ownTemplates.orderBy(replyTemplates.updatedAt, replyTemplates.id))
}

export async function eraseOwnTemplates(tx: Db, seal: Seal, namesPerson: (texts: TemplateTexts) => boolean) {
  const templates = (await readOwnTemplates(tx, seal)).filter(namesPerson)
  for (const { id } of templates) await tx.delete(replyTemplates).where(isTemplate(id))
}

/** Encrypts own templates that an earlier release stored as plain text. */
export async function encryptOldTemplates({ connect, seal }: Services) {
  const db = await connect()
  const isPlain = and(isNotNull(replyTemplates.ownerId), ne(replyTemplates.name, ''))
  for (const row of await db.select().from(replyTemplates).where(isPlain)) {
    const isStillPlain = and(isTemplate(row.id), isPlain)
    await db.update(replyTemplates).set(toStoredTexts(seal, row)).where(isStillPlain)
  }
}

const FIRST_TEMPLATES_SETTING = 'first-templates-made'

/** Creates the first templates once per database, so that deleted ones do not come back. */
export async function ensureFirstTemplates({ connect, now }: Services) {
  const updatedAt = new Date(now())
  const rows = firstTemplates.map(({ language, ...texts }) => {
    return { ...texts, language: language as NewTemplate['language'], id: randomUUID(), updatedAt }
  })
  const db = await connect()
  await db.transaction(async (tx) => {
    const row = { name: FIRST_TEMPLATES_SETTING, value: true, updatedAt }
    const created = await tx.insert(settings).values(row).onConflictDoNothing().returning()
    if (created.length === 0) return
    await tx.insert(replyTemplates).values(rows)
  })
}
