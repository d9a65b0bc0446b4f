import 'server-only'
import { randomUUID } from 'node:crypto'
import { asc, eq } from 'drizzle-orm'
import type { NewTemplate, ReplyTemplate, TemplatesAnswer } from '@/lib/contract/attempts'
import { command, type CommandParts } from '@/server/access/command'
import type { Allowed, Viewer } from '@/server/access/viewer'
import type { Connect } from '@/server/db/database'
import { replyTemplates, settings } from '@/server/db/schema'
import { ConflictError, NotFoundError } from '@/server/errors'

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

export async function changeTemplate(
  parts: Parts,
  viewer: Viewer,
  { id, ...template }: ReplyTemplate,
): Promise<ReplyTemplate> {
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

/** Once in the life of a database: templates that were deleted do not come back. */
export async function ensureFirstTemplates({ connect, now }: { connect: Connect; now: () => number }): Promise<void> {
  const updatedAt = new Date(now())
  const db = await connect()
  await db.transaction(async (tx) => {
    const row = { name: MADE, value: true, updatedAt }
    const made = await tx.insert(settings).values(row).onConflictDoNothing().returning()
    if (made.length === 0) return
    await tx.insert(replyTemplates).values(firstTemplates.map((one) => ({ ...one, id: randomUUID(), updatedAt })))
  })
}

const firstTemplates = [
  first('sv', 'Tack för ditt intresse', 'Tack för ditt intresse för {school}', [
    'Vad roligt att du är intresserad av {school}. Vi berättar gärna mer om våra program och om hur det är att gå hos oss.',
    'Är det något du undrar över? Svara bara på det här mejlet.',
    'Vänliga hälsningar\n{school}',
  ]),
  first('sv', 'Svar på din fråga', 'Svar på din fråga till {school}', [
    'Tack för din fråga.',
    '',
    'Hör gärna av dig igen om du undrar över något mer.',
    'Vänliga hälsningar\n{school}',
  ]),
  first('sv', 'Kom på öppet hus', 'Välkommen på öppet hus på {school}', [
    'Vi har snart öppet hus på {school}. Då får du se skolan och träffa både elever och lärare. Ta gärna med dig någon hemifrån.',
    'Datum och tid:',
    'Vi ses!\n{school}',
  ]),
  first('en', 'Thank you for your interest', 'Thank you for your interest in {school}', [
    'We are happy that you are interested in {school}, and would like to tell you more about our programmes and what it is like to study here.',
    'Is there anything you are wondering about? Just reply to this email.',
    'Kind regards,\n{school}',
  ]),
  first('en', 'Answer to your question', 'Your question to {school}', [
    'Thank you for your question.',
    '',
    'Please get in touch again if there is anything else you would like to know.',
    'Kind regards,\n{school}',
  ]),
  first('en', 'Come to our open day', 'Welcome to the open day at {school}', [
    'We are having an open day at {school} soon. Come and see the school, and meet our students and teachers. You are welcome to bring someone from home.',
    'Date and time:',
    'See you there!\n{school}',
  ]),
]

function first(language: 'sv' | 'en', name: string, subject: string, paragraphs: string[]): NewTemplate {
  const hello = language === 'sv' ? 'Hej {firstName}!' : 'Hi {firstName},'
  return { language, name, subject, body: [hello, ...paragraphs].join('\n\n') }
}
