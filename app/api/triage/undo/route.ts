import { createRoutes } from '@/server/http/routes'
import { undoTriage } from '@/server/leads/undo-triage'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = createRoutes('/api/triage/undo', { POST: undoTriage })
