import { routes } from '@/server/http/routes'
import { recentChanges, undoTriage } from '@/server/triage/undo-triage'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes('/api/triage/undo', {
  GET: recentChanges,
  POST: undoTriage,
})
