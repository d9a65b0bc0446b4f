import { createRoutes } from '@/server/http/routes'
import { addAttempt } from '@/server/leads/attempts'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/attempts', { POST: addAttempt })
