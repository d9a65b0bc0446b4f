import { createRoutes } from '@/server/http/routes'
import { addView, listViews } from '@/server/leads/saved-views'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/views', { GET: listViews, POST: addView })
