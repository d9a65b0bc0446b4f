import { newNoteSchema, notesQuerySchema } from '@/lib/contract/colleagues'
import { route } from '@/server/http/route'
import { addNote, listNotes } from '@/server/desk/notes'

export * from '@/server/http/other-methods'

export const GET = route(
  { permission: 'leads:read', query: notesQuerySchema },
  async ({ services, viewer, query }) => ({
    notes: await listNotes(services, viewer, query),
  }),
)

export const POST = route({ permission: 'leads:triage', body: newNoteSchema }, ({ services, viewer, body }) =>
  addNote(services, viewer, body),
)
