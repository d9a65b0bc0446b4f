import { routes } from '@/server/http/routes'
import { addAttempt } from '@/server/leads/attempts'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/attempts', { POST: addAttempt })
