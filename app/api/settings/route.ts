import { routes } from '@/server/http/routes'
import { changeWorkSettings } from '@/server/leads/work'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/settings', {
  PATCH: changeWorkSettings,
})
