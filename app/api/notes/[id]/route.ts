import { deleteNote } from '@/server/leads/notes'
import { createRoutes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/notes/[id]', { DELETE: deleteNote })
