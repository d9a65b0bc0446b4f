import { serve } from '@/server/http/routes'
import { setTriage } from '@/server/leads/change-triage'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/triage', { PATCH: setTriage })
