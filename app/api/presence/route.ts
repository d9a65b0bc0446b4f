import { updatePresence } from '@/server/leads/presence'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/presence', { POST: updatePresence })
