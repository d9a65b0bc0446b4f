import { serve } from '@/server/http/routes'
import { addNote, listNotes } from '@/server/leads/notes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/notes', { GET: listNotes, POST: addNote })
