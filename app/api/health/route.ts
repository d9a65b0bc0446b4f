import { getHealth } from '@/server/http/health'
import { createRoutes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/health', { GET: getHealth })
