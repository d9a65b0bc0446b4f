import { createRoutes } from '@/server/http/routes'
import { updatePresence } from '@/server/leads/presence'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/presence', { POST: updatePresence })
