import { routes } from '@/server/http/routes'
import { addAttempt } from '@/server/triage/attempts'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/attempts', { POST: addAttempt })
