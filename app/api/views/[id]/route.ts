import { deleteView } from '@/server/leads/saved-views'
import { createRoutes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/views/[id]', { DELETE: deleteView })
