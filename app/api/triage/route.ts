import { createRoutes } from '@/server/http/routes'
import { setTriage } from '@/server/leads/change-triage'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/triage', { PATCH: setTriage })
