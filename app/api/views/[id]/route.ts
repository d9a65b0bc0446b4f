import { deleteView } from '@/server/leads/saved-views'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/views/[id]', { DELETE: deleteView })
