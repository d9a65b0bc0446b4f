import { deleteNote } from '@/server/leads/notes'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/notes/[id]', { DELETE: deleteNote })
