import { routes } from '@/server/http/routes'
import { answerQueue } from '@/server/leads/list-queue'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/queues/[name]', { GET: answerQueue })
