import { updatePresence } from '@/server/leads/presence'
import { createRoutes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/presence', { POST: updatePresence })
