import { routes } from '@/server/http/routes'
import { setTriage } from '@/server/leads/change-triage'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/triage', { PATCH: setTriage })
