import { createRoutes } from '@/server/http/routes'
import { deleteView } from '@/server/leads/saved-views'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/views/[id]', { DELETE: deleteView })
