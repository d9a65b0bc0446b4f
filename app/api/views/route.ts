import { addView, listViews } from '@/server/leads/saved-views'
import { routes } from '@/server/http/routes'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/views', { GET: listViews, POST: addView })
