import 'server-only'
import { randomUUID } from 'node:crypto'
import { and, asc, eq, isNotNull, isNull, ne, or, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { NewAnswer, NewTemplate, ReplyTemplate, TemplatesAnswer } from '@/lib/contract/attempts'
import type { Permission } from '@/lib/contract/endpoint'
import { command, type CommandParts } from '@/server/access/command'
import type { Session } from '@/server/access/session-cookie'
import { requireProof } from '@/server/access/step-up'
import { allow, type Viewer, type Reader, type Sender } from '@/server/access/viewer'
import type { Connect, Db } from '@/server/db/database'
import { replyTemplates, settings } from '@/server/db/schema'
import { placeOf } from '@/server/db/sealed-columns'
import { ConflictError, NotFoundError } from '@/server/errors'
import type { Seal } from '@/server/seal'
import firstTemplates from './first-templates.json'

type Parts = CommandParts & { seal: Seal; now: () => number }

const isShared = isNull(replyTemplates.ownerId)
const isOwnOf = ({ id }: { id: string }) => eq(replyTemplates.ownerId, id)

/** The shared and the user's own, Swedish first. */
export async function listTemplates(
  { connect, seal }: Pick<Parts, 'connect' | 'seal'>,
  viewer: Reader,
): Promise<TemplatesAnswer> {
  const db = await connect()
  const isTheirs = or(isShared, isOwnOf(viewer))
  const rows = await db.select().from(replyTemplates).where(isTheirs).orderBy(asc(replyTemplates.id))
  const byName = new Intl.Collator('sv').compare
  const templates = rows
    .flatMap((row) => toTemplate(seal, row) ?? [])
    .sort((a, b) => rank(a.language) - rank(b.language) || byName(a.name, b.name))
  return { templates }
}

const rank = (language: 'sv' | 'en') => (language === 'sv' ? 0 : 1)

const MAX_TEMPLATES = 200

export function addTemplate(parts: Parts, viewer: Viewer, template: NewTemplate): Promise<ReplyTemplate> {
  return add(parts, viewer, 'admin', { ...template, ownerId: null })
}

/** From the composer. An own answer replaces the one of its name. One for everybody is the administrators' to publish. */
export async function saveAnswer(
  parts: Parts & Parameters<typeof requireProof>[0],
  viewer: Sender,
  { isShared: isForAll, ...template }: NewAnswer,
  { session }: { session: Session },
): Promise<ReplyTemplate> {
  if (!isForAll) return add(parts, viewer, 'leads:reply', { ...template, ownerId: viewer.id })
  allow(viewer, 'admin')
  await requireProof(parts, session)
  return addTemplate(parts, viewer, template)
}

function add(parts: Parts, viewer: Viewer, permission: Permission, made: NewTemplate & { ownerId: string | null }) {
  return command(parts, viewer, permission, async (tx, log) => {
    const { ownerId, name, language } = made
    if (ownerId !== null)
      for (const own of await ownAnswers(tx, parts.seal, isOwnOf(viewer)))
        if (own.name === name && own.language === language)
          await tx.delete(replyTemplates).where(eq(replyTemplates.id, own.id))
    const isAlike = ownerId === null ? isShared : isOwnOf(viewer)
    if ((await tx.$count(replyTemplates, isAlike)) >= MAX_TEMPLATES)
      throw new ConflictError('There are too many templates')
    const row = { ...made, id: randomUUID(), updatedAt: new Date(parts.now()) }
    await tx.insert(replyTemplates).values(ownerId === null ? row : { ...row, ...sealAnswer(parts.seal, row) })
    await log({ action: ownerId === null ? 'template-added' : 'answer-saved', details: { template: row.id } })
    return templateOf(row)
  })
}

export async function changeTemplate(parts: Parts, viewer: Viewer, { id, ...template }: ReplyTemplate) {
  return command(parts, viewer, 'admin', async (tx, log) => {
    const set = { ...template, updatedAt: new Date(parts.now()) }
    const isOne = and(eq(replyTemplates.id, id), isShared)
    const [row] = await tx.update(replyTemplates).set(set).where(isOne).returning()
    if (!row) throw new NotFoundError()
    await log({ action: 'template-changed', details: { template: id } })
    return templateOf(row)
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

function templateOf({ id, language, name, subject, body, ownerId }: Omit<Row, 'updatedAt'>): ReplyTemplate {
  return { id, language, name, subject, body, ...(ownerId !== null && { isOwn: true }) }
}

/** Null if it was sealed with another key. */
function toTemplate(seal: Seal, row: Row): ReplyTemplate | null {
  const texts = row.ownerId === null ? row : openAnswer(seal, row)
  return texts && templateOf({ ...row, ...texts })
}

const textsSchema = z.object({ name: z.string(), subject: z.string(), body: z.string() })
type Texts = z.infer<typeof textsSchema>

/** An own answer may name a pupil, so it is stored encrypted as one text, without a name of its own. */
function sealAnswer(seal: Seal, { id, name, subject, body }: Texts & { id: string }): Texts {
  const text = JSON.stringify({ name, subject, body })
  return { name: '', subject: '', body: seal.encrypt(text, placeOf.ownAnswer(id)) }
}

function openAnswer(seal: Seal, { id, ...texts }: Row): Texts | null {
  if (texts.name !== '') return texts
  const text = seal.decrypt(texts.body, placeOf.ownAnswer(id))
  return textsSchema.safeParse(text === null ? null : JSON.parse(text)).data ?? null
}

/** Oldest first; those that cannot be read are left out. */
export async function ownAnswers(db: Db, seal: Seal, which?: SQL) {
  const rows = await db
    .select()
    .from(replyTemplates)
    .where(and(isNotNull(replyTemplates.ownerId), which))
    .orderBy(asc(replyTemplates.updatedAt), asc(replyTemplates.id))
  return rows.flatMap((row) => {
    const texts = openAnswer(seal, row)
    return texts === null ? [] : [{ ...row, ...texts }]
  })
}

/** Returns how many. */
export async function eraseOwnAnswers(tx: Db, seal: Seal, isNaming: (answer: Texts) => boolean): Promise<number> {
  const naming = (await ownAnswers(tx, seal)).filter(isNaming)
  for (const { id } of naming) await tx.delete(replyTemplates).where(eq(replyTemplates.id, id))
  return naming.length
}

/** Those of a release that stored them as they are. */
export async function sealOwnAnswers({ connect, seal }: Pick<Parts, 'connect' | 'seal'>): Promise<void> {
  const db = await connect()
  const isPlain = and(isNotNull(replyTemplates.ownerId), ne(replyTemplates.name, ''))
  for (const row of await db.select().from(replyTemplates).where(isPlain))
    await db
      .update(replyTemplates)
      .set(sealAnswer(seal, row))
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
