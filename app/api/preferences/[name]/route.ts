import { serve } from '@/server/http/routes'
import { getPreference, setPreference } from '@/server/leads/preferences'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/preferences/[name]', {
  GET: getPreference,
  PUT: setPreference,
})
