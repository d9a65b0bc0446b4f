import { deleteView } from '@/server/desk/saved-views'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/views/[id]', { DELETE: deleteView })
