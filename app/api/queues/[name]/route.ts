import { createRoutes } from '@/server/http/routes'
import { answerQueue } from '@/server/leads/list-queue'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/queues/[name]', { GET: answerQueue })
