import { serve } from '@/server/http/routes'
import { addView, listViews } from '@/server/leads/saved-views'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/views', { GET: listViews, POST: addView })
