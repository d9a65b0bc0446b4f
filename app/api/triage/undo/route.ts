import { serve } from '@/server/http/routes'
import { undoTriage } from '@/server/leads/undo-triage'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/triage/undo', { POST: undoTriage })
