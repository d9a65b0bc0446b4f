import { createRoutes } from '@/server/http/routes'
import { respondWithQueue } from '@/server/leads/list-queue'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/queues/[name]', { GET: respondWithQueue })
