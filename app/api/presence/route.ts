import { serve } from '@/server/http/routes'
import { updatePresence } from '@/server/leads/presence'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/presence', { POST: updatePresence })
