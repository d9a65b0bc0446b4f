import 'server-only'
import { randomUUID } from 'node:crypto'
import type { NewNote, Note } from '@/lib/contract/note'
import { requirePermission } from '@/server/access/require-permission'
import type { Viewer } from '@/server/access/viewer'
import { notes } from '@/server/db/schema'
import { schoolOfLeadInReach } from '@/server/leads/lead-in-reach'
import { services } from '@/server/services'
import { notePlace, toNote } from './to-note'

/** Writes a note on a lead within reach, enciphered, and tells those who may see the lead. */
export async function addNote(viewer: Viewer, { kind, id: leadId, text }: NewNote): Promise<Note> {
  requirePermission(viewer, 'leads:triage')
  const lead = { kind, id: leadId }
  const school = await schoolOfLeadInReach(viewer, lead)
  const { connect, seal, activity, announcer, now } = services()
  const id = randomUUID()
  const sealedText = seal.close(text, notePlace(id))
  const row = { id, kind, leadId, authorId: viewer.id, sealedText, createdAt: new Date(now()) }
  const db = await connect()
  await db.transaction(async (tx) => {
    await tx.insert(notes).values(row)
    await activity.recordIn(tx, { userId: viewer.id, action: 'note-added', lead, details: { note: id } })
  })
  announcer.lead(lead, school, 'notes')
  return toNote(row, seal, new Map([[viewer.id, viewer.name]]))
}
