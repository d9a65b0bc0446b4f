import { serve } from '@/server/http/routes'
import { changeWorkSettings } from '@/server/leads/work-settings'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serve('/api/settings', { PATCH: changeWorkSettings })
