import { randomUUID } from 'node:crypto'
import { and, arrayContains, desc, eq, max, sql } from 'drizzle-orm'
import type { Body } from '@/lib/contract/endpoints'
import type { LeadRef } from '@/lib/contract/lead'
import { findMentions } from '@/lib/inbox/mentions'
import { checkLimit, executeCommand } from '@/server/access/command'
import { mayReadLeads } from '@/server/access/colleagues'
import { findUserNames } from '@/server/access/users'
import { type Decider, may, type Reader, type Viewer } from '@/server/access/viewer'
import type { Db } from '@/server/base/database'
import { ForbiddenError, NotFoundError } from '@/server/base/errors'
import { notes } from '@/server/base/schema'
import type { Seal } from '@/server/base/seal'
import { sealContext } from '@/server/base/seal-context'
import type { Services } from '@/server/base/services'
import { requireLead } from './lead-tables'

const MAX_NOTES_PER_LEAD = 200
const MAX_UNSEEN_MENTIONS = 100

const isOfLead = ({ kind, id }: LeadRef) => and(eq(notes.kind, kind), eq(notes.leadId, id))
const isUnseenBy = ({ id }: Viewer) => arrayContains(notes.unseenBy, [id])

/** Lists notes, oldest first, and marks mentions of the viewer as seen. Throws ForbiddenError for a hidden identity. */
export async function listNotes(services: Services, viewer: Reader, lead: LeadRef) {
  await requireLead(services, viewer, lead)
  services.leadOpenings.add(viewer.id, lead.kind, [lead.id])
  const db = await services.connect()
  const notesOfLead = db.select().from(notes).where(isOfLead(lead))
  const rows = await notesOfLead.orderBy(desc(notes.createdAt), desc(notes.id)).limit(MAX_NOTES_PER_LEAD)
  const authorIds = rows.map(({ authorId }) => authorId)
  const names = await findUserNames(db, authorIds)
  if (rows.some((row) => row.unseenBy.includes(viewer.id))) {
    const seenByViewer = { unseenBy: sql`array_remove(${notes.unseenBy}, ${viewer.id})` }
    await db
      .update(notes)
      .set(seenByViewer)
      .where(and(isOfLead(lead), isUnseenBy(viewer)))
  }
  return { notes: rows.reverse().map((row) => toNote(row, services.seal, names)) }
}

export async function addNote(services: Services, viewer: Decider, note: Body<'POST /api/notes'>) {
  const { kind, id: leadId, text } = note
  const lead = { kind, id: leadId }
  const { school } = await requireLead(services, viewer, lead)
  const id = randomUUID()
  const sealedText = services.seal.encrypt(text, sealContext.note(id))
  // Users who may read leads of the school can be mentioned, but not the author. If two share a name, both are.
  const mentionableUsers = (text.includes('@') ? await services.users.list() : []).filter(
    (user) => user.id !== viewer.id && mayReadLeads(user) && (user.schools === 'all' || user.schools.includes(school)),
  )
  const names = mentionableUsers.map(({ name }) => name)
  const mentionedNames = new Set(findMentions(text, names).map(({ name }) => name))
  const unseenBy = mentionableUsers.flatMap((user) => (mentionedNames.has(user.name) ? [user.id] : []))
  const row = { id, kind, leadId, authorId: viewer.id, sealedText, createdAt: new Date(services.now()), unseenBy }
  await executeCommand(services, viewer, 'leads:triage', async (tx, log) => {
    await checkLimit(tx, notes, isOfLead(lead), MAX_NOTES_PER_LEAD, 'The lead has too many notes')
    await tx.insert(notes).values(row)
    await log({ action: 'note-added', lead, details: { note: id } })
  })
  services.announcer.announceNotes(lead, school)
  return toNote(row, services.seal, new Map([[viewer.id, viewer.name]]))
}

/** Deletes a note. Throws ForbiddenError unless the viewer is its author or an administrator. */
export async function deleteNote(services: Services, viewer: Decider, { id }: { id: string }) {
  const db = await services.connect()
  const [row] = await db.select().from(notes).where(eq(notes.id, id))
  if (!row) throw new NotFoundError()
  const lead = { kind: row.kind, id: row.leadId }
  const { school } = await requireLead(services, viewer, lead)
  if (row.authorId !== viewer.id && !may(viewer, 'admin')) throw new ForbiddenError()
  await executeCommand(services, viewer, 'leads:triage', async (tx, log) => {
    // Of two concurrent deletions the second gets NotFoundError and only one is logged.
    const [deleted] = await tx.delete(notes).where(eq(notes.id, id)).returning({ id: notes.id })
    if (!deleted) throw new NotFoundError()
    await log({ action: 'note-deleted', lead, details: { note: id } })
  })
  services.announcer.announceNotes(lead, school)
}

/** The text is empty if it was encrypted with another key. */
function toNote(row: typeof notes.$inferSelect, seal: Seal, names: ReadonlyMap<string, string>) {
  const { id, authorId, sealedText, createdAt } = row
  const author = { id: authorId ?? '', name: names.get(authorId ?? '') ?? '' }
  return { id, text: seal.decrypt(sealedText, sealContext.note(id)) ?? '', author, createdAt: createdAt.toISOString() }
}

/** Lists leads with unseen mentions of the viewer, newest first, also those that are gone or out of scope. */
export async function findUnseenMentions(db: Db, viewer: Viewer) {
  const { kind, leadId: id } = notes
  const leads = db.select({ kind, id }).from(notes).where(isUnseenBy(viewer)).groupBy(kind, id)
  return leads.orderBy(desc(max(notes.createdAt))).limit(MAX_UNSEEN_MENTIONS)
}
