import { serve } from '@/server/http/routes'
import { deleteNote } from '@/server/leads/notes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/notes/[id]', { DELETE: deleteNote })
