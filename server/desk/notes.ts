import 'server-only'
import { randomUUID } from 'node:crypto'
import { and, asc, eq } from 'drizzle-orm'
import type { NewNote, Note } from '@/lib/contract/colleagues'
import type { LeadRef } from '@/lib/contract/lead'
import { command, type CommandParts } from '@/server/access/command'
import { type Allowed, may } from '@/server/access/viewer'
import { notes } from '@/server/db/schema'
import { ForbiddenError, NotFoundError } from '@/server/errors'
import type { Announcer } from '@/server/events/announcer'
import { type LeadParts, schoolOfShownLead } from '@/server/leads/select-leads'
import type { Seal } from '@/server/seal'
import { userNames } from '@/server/users/people'

type Parts = LeadParts & CommandParts & { seal: Seal; announcer: Pick<Announcer, 'lead'>; now: () => number }

/**
 * The notes on a lead within reach, oldest first; NotFoundError for any other lead. Of a person with a protected identity only
 * those read and write them who are shown who it is: ForbiddenError for the others.
 */
export async function listNotes(
  parts: Pick<Parts, 'feed' | 'protections' | 'connect' | 'seal'>,
  viewer: Allowed<'leads:read'>,
  lead: LeadRef,
): Promise<Note[]> {
  await schoolOfShownLead(parts, viewer, lead)
  const db = await parts.connect()
  const rows = await db
    .select()
    .from(notes)
    .where(and(eq(notes.kind, lead.kind), eq(notes.leadId, lead.id)))
    .orderBy(asc(notes.createdAt), asc(notes.id))
  const names = await userNames(
    db,
    rows.flatMap(({ authorId }) => authorId ?? []),
  )
  return rows.map((row) => toNote(row, parts.seal, names))
}

/** Writes a note on a lead within reach, enciphered, and announces it to those who may see the lead. */
export async function addNote(
  parts: Parts,
  viewer: Allowed<'leads:triage'>,
  { kind, id: leadId, text }: NewNote,
): Promise<Note> {
  const lead = { kind, id: leadId }
  const school = await schoolOfShownLead(parts, viewer, lead)
  const id = randomUUID()
  const sealedText = parts.seal.close(text, notePlace(id))
  const row = { id, kind, leadId, authorId: viewer.id, sealedText, createdAt: new Date(parts.now()) }
  await command(parts, viewer, 'leads:triage', async (tx, log) => {
    await tx.insert(notes).values(row)
    await log({ action: 'note-added', lead, details: { note: id } })
  })
  parts.announcer.lead(lead, school, 'notes')
  return toNote(row, parts.seal, new Map([[viewer.id, viewer.name]]))
}

/** For its author and administrators. NotFoundError also for a note on a lead that is gone or out of reach. */
export async function deleteNote(
  parts: Omit<Parts, 'seal' | 'now'>,
  viewer: Allowed<'leads:triage'>,
  id: string,
): Promise<void> {
  const db = await parts.connect()
  const [note] = await db.select().from(notes).where(eq(notes.id, id))
  if (!note) throw new NotFoundError()
  const lead = { kind: note.kind, id: note.leadId }
  const school = await schoolOfShownLead(parts, viewer, lead)
  if (note.authorId !== viewer.id && !may(viewer, 'admin')) throw new ForbiddenError()
  await command(parts, viewer, 'leads:triage', async (tx, log) => {
    // Of two who delete it at once, the second gets NotFoundError and the log has one entry.
    const deleted = await tx.delete(notes).where(eq(notes.id, id)).returning({ id: notes.id })
    if (deleted.length === 0) throw new NotFoundError()
    await log({ action: 'note-deleted', lead, details: { note: id } })
  })
  parts.announcer.lead(lead, school, 'notes')
}

/** Where a note's text stands, so that it can be read in no other row. */
export const notePlace = (id: string) => `notes ${id}`

function toNote(row: typeof notes.$inferSelect, seal: Seal, names: ReadonlyMap<string, string>): Note {
  const { id, authorId, sealedText, createdAt } = row
  const author = { id: authorId ?? '', name: names.get(authorId ?? '') ?? '' }
  return { id, text: seal.open(sealedText, notePlace(id)) ?? '', author, createdAt: createdAt.toISOString() }
}
