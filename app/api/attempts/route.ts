import { serve } from '@/server/http/routes'
import { addAttempt } from '@/server/leads/attempts'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/attempts', { POST: addAttempt })
