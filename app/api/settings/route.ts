import { createRoutes } from '@/server/http/routes'
import { changeWorkSettings } from '@/server/leads/work'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/settings', { PATCH: changeWorkSettings })
