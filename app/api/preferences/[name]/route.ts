import { routes } from '@/server/http/routes'
import { getPreference, setPreference } from '@/server/leads/preferences'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/preferences/[name]', {
  GET: getPreference,
  PUT: setPreference,
})
