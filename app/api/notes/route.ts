import { createRoutes } from '@/server/http/routes'
import { addNote, listNotes } from '@/server/leads/notes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/notes', { GET: listNotes, POST: addNote })
