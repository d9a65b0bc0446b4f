import { deleteNote } from '@/server/desk/notes'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/notes/[id]', { DELETE: deleteNote })
