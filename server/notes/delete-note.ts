import 'server-only'
import { eq } from 'drizzle-orm'
import { requirePermission } from '@/server/access/require-permission'
import type { Viewer } from '@/server/access/viewer'
import { notes } from '@/server/db/schema'
import { ForbiddenError, NotFoundError } from '@/server/errors'
import { schoolOfLeadInReach } from '@/server/leads/lead-in-reach'
import { services } from '@/server/services'

/** For its author and administrators. NotFoundError also for a note on a lead that is gone or out of reach. */
export async function deleteNote(viewer: Viewer, id: string): Promise<void> {
  requirePermission(viewer, 'leads:triage')
  const { connect, activity, announcer } = services()
  const db = await connect()
  const [note] = await db.select().from(notes).where(eq(notes.id, id))
  if (!note) throw new NotFoundError()
  const lead = { kind: note.kind, id: note.leadId }
  const school = await schoolOfLeadInReach(viewer, lead)
  if (note.authorId !== viewer.id && !viewer.permissions.has('admin')) throw new ForbiddenError()
  await db.transaction(async (tx) => {
    // Whoever comes second finds it gone, and the log has it once.
    const gone = await tx.delete(notes).where(eq(notes.id, id)).returning({ id: notes.id })
    if (gone.length === 0) throw new NotFoundError()
    await activity.recordIn(tx, { userId: viewer.id, action: 'note-deleted', lead, details: { note: id } })
  })
  announcer.lead(lead, school, 'notes')
}
