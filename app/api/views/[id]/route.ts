import { serve } from '@/server/http/routes'
import { deleteView } from '@/server/leads/saved-views'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/views/[id]', { DELETE: deleteView })
