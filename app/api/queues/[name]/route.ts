import { serve } from '@/server/http/routes'
import { respondWithQueue } from '@/server/leads/list-queue'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/queues/[name]', { GET: respondWithQueue })
