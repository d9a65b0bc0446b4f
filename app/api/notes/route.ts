import { newNoteSchema, notesQuerySchema } from '@/lib/contract/note'
import { route } from '@/server/http/route'
import { addNote } from '@/server/notes/add-note'
import { listNotes } from '@/server/notes/list-notes'

export * from '@/server/http/other-methods'

export const GET = route({ permission: 'leads:read', query: notesQuerySchema }, async ({ viewer, query }) => ({
  notes: await listNotes(viewer, query),
}))

export const POST = route({ permission: 'leads:triage', body: newNoteSchema }, ({ viewer, body }) =>
  addNote(viewer, body),
)
