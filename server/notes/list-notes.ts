import 'server-only'
import { and, asc, eq } from 'drizzle-orm'
import type { LeadRef } from '@/lib/contract/lead'
import type { Note } from '@/lib/contract/note'
import { requirePermission } from '@/server/access/require-permission'
import type { Viewer } from '@/server/access/viewer'
import { notes } from '@/server/db/schema'
import { schoolOfLeadInReach } from '@/server/leads/lead-in-reach'
import { services } from '@/server/services'
import { userNames } from '@/server/users/user-names'
import { toNote } from './to-note'

/** The notes on a lead within reach, oldest first; NotFoundError for any other lead. */
export async function listNotes(viewer: Viewer, lead: LeadRef): Promise<Note[]> {
  requirePermission(viewer, 'leads:read')
  await schoolOfLeadInReach(viewer, lead)
  const { connect, seal } = services()
  const db = await connect()
  const rows = await db
    .select()
    .from(notes)
    .where(and(eq(notes.kind, lead.kind), eq(notes.leadId, lead.id)))
    .orderBy(asc(notes.createdAt), asc(notes.id))
  const names = await userNames(
    db,
    rows.flatMap(({ authorId }) => authorId ?? []),
  )
  return rows.map((row) => toNote(row, seal, names))
}
