import { routes } from '@/server/http/routes'
import { getWorkSettings, saveWorkSettings } from '@/server/settings/work'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/settings', {
  GET: getWorkSettings,
  PATCH: saveWorkSettings,
})
